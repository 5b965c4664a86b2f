"""Requests and results of an engine, as plain values, and as text in a link: no PyTorch."""
