"""Tests of models/own/factory, and where modules without a test of their name are tested.

card: models/own/test_own_model.py
function: models/own/factory/test_preparing.py
handed: notebook/test_look.py
making: viz/commands/test_serve.py, models/own/factory/test_copies.py
restart: models/own/factory/test_copies.py
"""
