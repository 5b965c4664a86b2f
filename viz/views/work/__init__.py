"""What an engine does to answer the questions of ``viz.views``, with PyTorch."""
