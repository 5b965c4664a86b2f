"""Tests of viz/request, and where modules without a test of their name are tested.

arrangement: maps/test_layout_known.py, which applies it
query: request/test_look.py, whose text it reads
views: tools/test_look_script.py
"""
