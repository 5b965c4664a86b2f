"""Differences between operating systems, and stand-ins for what some lack."""
