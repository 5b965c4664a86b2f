"""The other side of a comparison: its choices, cost and labels."""
