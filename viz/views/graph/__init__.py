"""The graph of a model: its calls and operations, and their data."""
