"""The other side of a comparison: its choices, its cost and its labels."""
