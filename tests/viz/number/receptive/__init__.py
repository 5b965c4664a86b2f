"""Tests of viz/number/receptive, and where modules without a test of their name are tested.

boxes, lineage, tracing: number/receptive/test_fields.py, number/receptive/test_operations.py
mixture_rules, move_rules, window_rules: number/receptive/test_operations.py, one case for each rule
quantised: number/receptive/test_models.py, since only whole models have such operations
"""
