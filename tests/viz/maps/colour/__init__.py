"""Tests of viz/maps/colour, and where modules without a test of their name are tested.

wanted: views/test_drawing.py, as a part of a whole view
"""
