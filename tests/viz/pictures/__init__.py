"""Tests of viz/pictures, and where modules without a test of their name are tested.

bitmap_runs: hostile/test_pictures_honest.py, beside all other variants of BMP
flat, header: pictures/test_images.py, as steps of reading a picture
header_gif, header_jpeg, header_png, header_webp: pictures/test_header_formats.py
subject: passes/test_forward.py
"""
