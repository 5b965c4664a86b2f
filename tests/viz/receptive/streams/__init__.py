"""Tests of viz/receptive/streams, and where modules without a test of their name are tested.

found, passing: receptive/streams/test_following.py
"""
