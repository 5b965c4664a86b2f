"""Optimised pictures: what a channel, a cell, a class or a direction wants, by gradient ascent."""
