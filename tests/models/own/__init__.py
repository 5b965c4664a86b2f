"""Tests of models/own, and where modules without a test of their name are tested.

own_model_name: commands/test_serve.py, where an operator names it
pickled: models/own/test_uploaded_state.py, models/own/test_state_reading.py
pickled_weights, state_archive, state_safetensors: models/own/test_state_reading.py
state_finding: models/own/test_place.py, models/own/test_state_reading.py
state_refusals: models/own/test_state_table.py, models/own/test_uploaded_state.py
state_size: models/own/test_uploaded_state.py
weights_report: models/own/test_own_weights.py
"""
