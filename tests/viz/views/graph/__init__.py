"""Tests of viz/views/graph."""
