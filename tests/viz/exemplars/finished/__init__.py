"""Tests of viz/exemplars/finished, each module by its name."""
