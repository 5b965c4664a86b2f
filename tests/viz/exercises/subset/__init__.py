"""Tests of the subset, and where its modules without a test of their name are tested.

bounds, session: exercises/subset/test_walking.py, exercises/test_job.py
expressions, names, operators, places, shown, statements: exercises/subset/test_walking.py
layers, tensors: exercises/subset/test_walking.py, exercises/subset/test_attributes.py
values: exercises/subset/test_walking.py, exercises/subset/test_attributes.py
"""
