"""Tests of viz/comparison, and where modules without a test of their name are tested.

events, pairs, rows, sides: comparison/test_divergence.py, comparison/test_correspondence.py
"""
