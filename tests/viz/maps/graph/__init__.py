"""Tests of viz/maps/graph."""
