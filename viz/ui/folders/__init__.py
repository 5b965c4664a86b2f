"""Folders of pictures: the server's and a visitor's own, the pass over one, and what it found: no PyTorch."""
