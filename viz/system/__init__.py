"""Differences between operating systems: what not all of them have, and what stands in for it."""
