"""Tests of viz/profile, and where modules without a test of their name are tested.

details, uncalled: profile/test_tree.py, as columns of the tree
"""
