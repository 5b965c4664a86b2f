"""Tests of viz/number, and where modules without a test of their name are tested.

windows: number/receptive/test_operations.py, number/arithmetic/test_layers.py, which slide the same windows
"""
