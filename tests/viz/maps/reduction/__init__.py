"""Tests of viz/maps/reduction, and where modules without a test of their name are tested.

components: maps/reduction/test_reduce.py, against scikit-learn, as the reduction that needs them
"""
