"""What can be looked at: the catalogue of models. Imports neither ``viz`` nor Streamlit.

>>> import models
>>> models.names()[:2]
('lenet', 'photonet')
>>> models.describe("lenet").input_size
(32, 32)
>>> net = models.load("lenet")  # trained, in evaluation mode

What it offers stands in ``__init__.pyi``, and is imported when it is first used: a process that only reads
pictures must not pay for PyTorch.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
