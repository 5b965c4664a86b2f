"""Tests of viz/ui/wire/folder, and where modules without a test of their name are tested.

finding: ui/wire/folder/test_routes_folder.py
"""
