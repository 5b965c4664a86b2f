"""Tests of viz/receptive/places, and where modules without a test of their name are tested.

placings: receptive/places/test_placing.py, commands/test_soundness.py
place_rules, settling: receptive/places/test_known.py, receptive/places/test_placing.py
"""
