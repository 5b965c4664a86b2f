"""Tests of viz/script/attribution: whole scripts, run in fresh processes, and the task behind them.

attention, lines: script/attribution/test_code.py
work: script/attribution/test_facts.py
"""
