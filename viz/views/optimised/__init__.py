"""Optimised pictures of a channel, under way, beside real pictures."""
