"""Tests of viz/exemplars/sources, each module by its name."""
