"""Tests of viz/course, and where modules without a test of their name are tested.

alone: course/test_shipped.py
found, tasks: course/test_work.py
lesson, predictions: course/test_reading.py
setup: course/test_shipped.py
"""
