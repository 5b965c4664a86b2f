"""A view as a script of plain PyTorch with the same numbers."""
