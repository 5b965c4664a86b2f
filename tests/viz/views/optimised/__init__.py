"""Tests of viz/views/optimised."""
