"""What is wanted and what came of it, as plain values, and as text in a link: no PyTorch."""
