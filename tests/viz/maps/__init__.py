"""Tests of viz/maps, and where modules without a test of their name are tested.

facts, ordering: views/test_drawing.py, as parts of a whole view
"""
