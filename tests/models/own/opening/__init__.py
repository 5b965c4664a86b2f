"""Tests of models/own/opening, and where modules without a test of their name are tested.

libraries, module_tree, package: models/own/opening/test_outline.py
"""
