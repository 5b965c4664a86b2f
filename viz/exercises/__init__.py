"""Exercises for visitors, and the running, comparing and explaining of answers."""
