"""A small safe part of Python: its tree is walked, never compiled."""
