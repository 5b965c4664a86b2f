"""Tests of viz/ui/visit/catalogue, and where modules without a test of their name are tested.

tasks, work: ui/visit/catalogue/test_known.py, which asks all of them of two engines
"""
