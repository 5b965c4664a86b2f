"""Tests of viz/views/reduced."""
