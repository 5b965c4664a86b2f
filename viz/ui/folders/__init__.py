"""Folders of pictures, with passes and results; no PyTorch."""
