"""Two nets on one input, compared layer by layer.

It finds the layers that correspond, how far they differ, and the one where the nets part.
"""
