"""Reductions of maps to one picture, and their drawing, without PyTorch."""
