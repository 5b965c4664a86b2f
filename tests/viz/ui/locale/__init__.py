"""Tests of viz/ui/locale, and where modules without a test of their name are tested.

words_table: ui/locale/test_words.py, which reads the tables of that type
"""
