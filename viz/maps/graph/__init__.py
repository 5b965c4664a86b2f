"""Drawings of a model's graph as SVG: folding to blocks, layering, ordering, and places of boxes."""
