"""One number of a map taken apart: its receptive field, and the sum that made it."""
