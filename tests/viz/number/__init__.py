"""Tests of viz/number, and where modules without a test of their name are tested.

found, taken, work: number/test_tasks.py, number/test_breakdown.py
"""
