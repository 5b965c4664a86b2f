"""Tests of viz/hooks/values."""
