"""Frames of a training: layers' outputs on a fixed batch over time."""
