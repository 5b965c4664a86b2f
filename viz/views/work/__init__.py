"""Work of an engine on the questions of ``viz.views``, with PyTorch."""
