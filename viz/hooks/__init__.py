"""Torch hooks alone: capture and edit layers' outputs, inputs and gradients."""
