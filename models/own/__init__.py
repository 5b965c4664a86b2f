"""Models and weights of others: an operator's model; a visitor's weights, read without running anything.

``__init__.pyi`` lists what it offers to the page. Each name is imported when it is first used, so that a
process that only reads a file does not load PyTorch.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
