"""Tests of viz/ui/help."""
