"""Tests of viz/take_home, and where modules without a test of their name are tested.

captions, card, forms: take_home/test_exports.py
overview_figure: ui/wire/routes/test_routes_model.py
work: take_home/test_album.py
"""
