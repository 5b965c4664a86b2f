"""Representations in a notebook: records and layers as tables, values as maps."""
