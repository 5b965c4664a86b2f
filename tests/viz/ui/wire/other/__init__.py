"""Tests of viz/ui/wire/other, and where modules without a test of their name are tested.

asking, choices, labels, pictures, sides: ui/wire/other/test_routes_other.py
"""
