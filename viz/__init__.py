"""Layerglass, the service: capture, arrange and draw what every layer of a PyTorch model computes."""
