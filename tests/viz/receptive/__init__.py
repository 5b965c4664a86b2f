"""Tests of viz/receptive, and where modules without a test of their name are tested.

boxes, lineage, tracing: receptive/test_fields.py, receptive/test_operations.py
mixture_rules, move_rules, window_rules: receptive/test_operations.py, one case for each rule, and
    receptive/test_choices.py, where the picture decides what they do
quantised: receptive/test_models.py, receptive/test_operations.py
windows: receptive/test_operations.py, number/arithmetic/test_layers.py, which slide the same windows
"""
