"""Tests of viz/ui/visit, and where modules without a test of their name are tested.

faults: hostile/test_faults.py
frames: hostile/test_frames.py, ui/wire/routes/test_routes_live.py
picture_titles: ui/wire/test_edit_words.py
records: ui/visit/test_sharing.py
"""
