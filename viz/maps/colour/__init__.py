"""Colours of numbers: tables, limits, and the choice of a request."""
