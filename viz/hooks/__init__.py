"""Torch hooks and nothing else: capture and edit layers' outputs, inputs and gradients."""
