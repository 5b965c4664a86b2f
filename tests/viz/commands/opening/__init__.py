"""Tests of viz/commands/opening, by whole commands.

job, report: commands/opening/test_opened_file.py
"""
