"""Formats of programs and arrays, of which only the weights are read.

These are their names, shapes and places.
"""
