"""Tests of viz/passes/resumed."""
