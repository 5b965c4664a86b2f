"""A small safe part of Python: a syntax tree, checked against lists, and walked; nothing is compiled."""
