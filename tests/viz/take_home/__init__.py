"""Tests of viz/take_home, and where modules without a test of their name are tested.

captions, card, forms, overview_figure: take_home/test_exports.py
panels: take_home/test_sheet.py
work: take_home/test_album.py
"""
