"""Profile of a model and of one pass through it: tree, calls, costs, events, memory."""
