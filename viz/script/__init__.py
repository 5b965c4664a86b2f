"""A view as a script of plain PyTorch hooks that makes the same numbers."""
