"""Tests of viz/views/classes."""
