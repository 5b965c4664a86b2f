"""The graph of a model: its calls and operations, and what flows between them."""
