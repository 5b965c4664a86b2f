"""Optimised pictures: those that excite a channel, a cell, a class or a direction, by gradient ascent."""
