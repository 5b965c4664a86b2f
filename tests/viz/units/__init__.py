"""Tests of viz/units, and where modules without a test of their name are tested.

before, feeders, found, readers, shown, tasks: units/test_work.py
"""
