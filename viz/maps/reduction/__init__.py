"""Reductions of a layer's maps to one picture, by a named formula, and its drawing: no PyTorch."""
