"""What counts for a class as a script of plain PyTorch: what must be known, its lines, and all of it."""
