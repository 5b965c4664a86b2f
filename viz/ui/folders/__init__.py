"""Folders of pictures, the server's and visitors', with passes and results; no PyTorch."""
