"""Tests of viz/passes, and where modules without a test of their name are tested.

class_scores: passes/test_forward.py, passes/test_attribution.py
loaded: engine/test_engine.py, engine/test_engine_edits.py, since only the engine loads models
"""
