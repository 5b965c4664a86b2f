"""Drawings of a model's graph as SVG, folded to blocks in layers."""
