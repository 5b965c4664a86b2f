"""Tests of viz/ui/wire/folder, and where modules without a test of their name are tested.

finding: ui/wire/folder/test_routes_folder.py
gathered: ui/wire/folder/test_routes_lens.py, ui/wire/folder/test_routes_against.py
others: ui/wire/folder/test_routes_against.py
"""
