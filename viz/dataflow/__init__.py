"""Data flow of one run between its calls and operations."""
