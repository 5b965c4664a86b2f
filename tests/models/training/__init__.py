"""Tests of models/training, and where modules without a test of their name are tested.

examples: models/training/test_pictures.py, models/training/test_signals.py, on the two that follow it
recipes: models/training/test_loop.py
report: models/training/test_main.py
"""
