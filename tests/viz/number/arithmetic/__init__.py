"""Tests of viz/number/arithmetic, and where modules without a test of their name are tested.

activations, moves, normalisations: number/arithmetic/test_layers.py
convolutions, explanation, poolings: number/arithmetic/test_explain.py, number/arithmetic/test_layers.py
products: number/arithmetic/test_explain.py, number/arithmetic/test_models.py for additions
"""
