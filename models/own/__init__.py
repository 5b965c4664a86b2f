"""What others bring: an operator's own model, a visitor's own weights, read without running anything.

What it offers to the page stands in ``__init__.pyi``, and is imported when it is first used: a process that
only reads a file must not pay for PyTorch.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
