"""The catalogue of models to look at. Imports neither ``viz`` nor Streamlit.

>>> import models
>>> models.names()[:2]
('lenet', 'photonet')
>>> models.describe("lenet").input_size
(32, 32)
>>> net = models.load("lenet")  # trained, in evaluation mode

``__init__.pyi`` lists what it offers. Each name is imported when it is first used, so that a process that
only reads pictures does not load PyTorch.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
