"""Own models of operators, and own weights of visitors.

A visitor's file is read without running anything in it.

``__init__.pyi`` lists what it offers to the page. Each name is imported when it is first used, so that a
process that only reads a file does not load PyTorch.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
