"""The other side of a comparison: which one it is, what it costs, and what it is called."""
