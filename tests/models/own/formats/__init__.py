"""Tests of models/own/formats, and where modules without a test of their name are tested.

exported: models/own/opening/test_outline.py
"""
