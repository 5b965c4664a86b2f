"""Optimised pictures: gradient ascent on a channel, cell, class or direction."""
