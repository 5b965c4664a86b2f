"""Tests of viz/pictures, and where modules without a test of their name are tested.

bitmap_runs: hostile/test_pictures_honest.py, beside all other variants of BMP
flat: pictures/test_images.py, as a step of reading a picture
subject: passes/test_forward.py
"""
