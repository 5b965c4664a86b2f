"""Outlines of model files, and matches with the catalogue; nothing is run."""
