"""Tests of viz/number."""
