"""The questions a page asks: each a task whose answer is plain values."""
