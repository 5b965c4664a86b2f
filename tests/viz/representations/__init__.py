"""Tests of viz/representations."""
