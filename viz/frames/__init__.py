"""Frames of a training: what layers make of one fixed batch as the weights change, measured and kept."""
