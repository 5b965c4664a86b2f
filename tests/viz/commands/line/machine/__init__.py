"""Tests of viz/commands/line/machine, and where modules without a test of their name are tested.

doctor: commands/machine/test_diagnosis.py
"""
