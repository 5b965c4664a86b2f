"""Tests of viz/exercises, and where modules without a test of their name are tested.

asked, exercise: exercises/test_job.py
folder: exercises/test_reading.py, exercises/test_checking.py
painting: exercises/test_job.py
refusal: exercises/test_reading.py, exercises/subset/test_walking.py
sections: exercises/test_reading.py
"""
