"""Requests and results of an engine, as plain values and link text.

They need no PyTorch.
"""
