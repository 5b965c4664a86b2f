"""Tests of viz/ui/folders, and where modules without a test of their name are tested.

lines: ui/folders/test_store.py
named: ui/folders/test_sources.py, browser/test_exemplars.py on the real page
opened, thumbnails: ui/wire/folder/test_routes_folder.py
"""
