"""Two nets on one input, layer by layer: which layers correspond, how far they differ, where they part."""
