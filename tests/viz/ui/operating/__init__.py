"""Tests of viz/ui/operating."""
