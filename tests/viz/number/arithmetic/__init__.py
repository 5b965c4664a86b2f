"""Tests of viz/number/arithmetic, and where modules without a test of their name are tested.

activations: number/arithmetic/test_layers.py
bounds: number/arithmetic/test_attention.py, number/arithmetic/test_recurrent.py
convolutions, explanation: number/arithmetic/test_explain.py, number/arithmetic/test_layers.py
products: number/arithmetic/test_explain.py, number/arithmetic/test_models.py for additions
"""
