"""Tests of viz/exemplars/rawmaps, each module by its name."""
