"""Formats of exported programs, of which only the names, shapes and places of their weights are read."""
