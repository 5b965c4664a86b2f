"""One forward or backward pass of a model, kept as plain arrays."""
