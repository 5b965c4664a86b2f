"""Tests of viz/views, and where modules without a test of their name are tested.

all_layers: engine/test_engine_edits.py, views/test_live.py
one_layer, whole_model: engine/test_engine.py, since the engine's tests need tasks
removal: engine/test_engine_edits.py
"""
