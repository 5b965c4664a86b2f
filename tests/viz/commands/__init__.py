"""Tests of viz/commands, and where modules without a test of their name are tested.

exercises: exercises/test_checking.py
"""
