"""Tests of viz/reach."""
