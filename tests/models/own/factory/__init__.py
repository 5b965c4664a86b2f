"""Tests of models/own/factory, and where modules without a test of their name are tested.

function: models/own/factory/test_preparing.py
making: viz/commands/test_serve.py, models/own/factory/test_copies.py
restart: models/own/factory/test_copies.py
"""
