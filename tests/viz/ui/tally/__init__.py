"""Tests of viz/ui/tally."""
