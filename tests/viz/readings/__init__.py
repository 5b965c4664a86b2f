"""Tests of viz/readings, and where modules without a test of their name are tested.

cells, found, tasks, windows: readings/test_reading.py, readings/test_work.py
"""
