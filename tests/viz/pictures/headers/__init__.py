"""Tests of viz/pictures/headers, and where modules without a test of their name are tested.

avif, gif, jpeg, png, webp: pictures/headers/test_formats.py
header: pictures/test_images.py, as a step of reading a picture
"""
