"""Readings: a layer's work, played on a small block of its numbers, each with the sum that made it."""
