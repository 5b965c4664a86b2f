"""What a model is made of and what one pass through it does: its tree, calls, costs, events, memory."""
