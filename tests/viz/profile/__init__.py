"""Tests of viz/profile, and where modules without a test of their name are tested.

details: profile/test_tree.py, as a column of the tree
event: profile/test_events.py
rows: profile/test_tree.py, profile/test_naming.py
"""
