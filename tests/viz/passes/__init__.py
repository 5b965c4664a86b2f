"""Tests of viz/passes, and where modules without a test of their name are tested.

loaded: engine/test_engine.py, engine/test_engine_edits.py, since only the engine loads models
"""
