"""Commands about this machine: what it has, and what will work."""
