"""Tests of viz/visualised."""
