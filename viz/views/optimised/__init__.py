"""Optimised pictures under way: what a channel wants to see, as far as it is known, beside real pictures."""
