"""Tests of viz/ui/learning, and where modules without a test of their name are tested.

quiz_sentences: ui/learning/test_quiz_facts.py
"""
