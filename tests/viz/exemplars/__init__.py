"""Tests of viz/exemplars, and where modules without a test of their name are tested.

looked: exemplars/test_ranking.py
"""
