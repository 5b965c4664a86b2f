"""Tests of viz/ui/stage, and where modules without a test of their name are tested.

stage, subject_facts: ui/test_page.py, ui/choose/test_address.py
"""
