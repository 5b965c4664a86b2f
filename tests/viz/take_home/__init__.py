"""Tests of viz/take_home, and where modules without a test of their name are tested.

card: take_home/test_exports.py
work: take_home/test_album.py
"""
