"""A small safe part of Python: read as a syntax tree, checked against lists, and walked; nothing is compiled."""
