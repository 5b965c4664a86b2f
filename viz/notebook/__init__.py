"""The page of one subject in a notebook's cell, answered by the kernel without a server."""
