"""Representations in a notebook: records and layers as tables with small pictures, any value as maps."""
