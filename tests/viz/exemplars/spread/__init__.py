"""Tests of viz/exemplars/spread, and where modules without a test of their name are tested.

errand: exemplars/spread/test_looker.py
"""
