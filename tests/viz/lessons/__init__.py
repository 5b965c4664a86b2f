"""Tests of viz/lessons, and where modules without a test of their name are tested.

changing_a_running_net: lessons/test_04_changing_a_running_net.py, lessons/test_course.py
every_layer: lessons/test_01_every_layer.py, lessons/test_course.py
gradient_numbers, layer_numbers: lessons/test_course.py
inputs_and_outputs: lessons/test_02_inputs_and_outputs.py, lessons/test_course.py
last_layers: lessons/test_00_last_layers.py, lessons/test_course.py
comparing, line, tasks, work: lessons/test_course.py
seeing_gradients: lessons/test_03_seeing_gradients.py, lessons/test_course.py
what_is_kept: lessons/test_00_what_is_kept.py, lessons/test_course.py
"""
