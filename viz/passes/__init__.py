"""One forward or backward pass of a model, and what is kept of it as plain arrays."""
