"""Bytes into a safe picture, the pictures that come along, and a picture with its model: no PyTorch."""
