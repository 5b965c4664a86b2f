"""Tests of viz/plans, and where modules without a test of their name are tested.

folder: plans/test_shipped.py
noise: plans/test_answers.py
parts, plan, questions: plans/test_reading.py
"""
