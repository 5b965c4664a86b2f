"""Optimised pictures: what a channel, a cell, a class or a direction wants to see, found by gradient ascent."""
