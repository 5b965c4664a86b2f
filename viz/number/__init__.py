"""One number of a map taken apart: where it comes from, and the sum that made it."""
