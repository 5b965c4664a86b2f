"""Torch hooks and nothing else: capture and edit what layers return, are given, and get back."""
