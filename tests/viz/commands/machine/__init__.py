"""Tests of viz/commands/machine, and where modules without a test of their name are tested.

facts: commands/machine/test_diagnosis.py
"""
