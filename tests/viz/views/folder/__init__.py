"""Tests of viz/views/folder."""
