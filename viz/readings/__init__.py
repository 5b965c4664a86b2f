"""Readings: a layer's work on a small block, number by number.

Each number has the sum that made it.
"""
