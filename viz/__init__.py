"""Layerglass, the service: capture, arrange and draw what every layer of a PyTorch model computes.

>>> from viz import LayerActivations, render_mosaic
>>> layers = LayerActivations(model)
>>> with layers.capture("conv1") as record:
...     layers.run(images)
>>> mosaic = render_mosaic(record["conv1"].output[0].cpu().numpy())

``__init__.pyi`` lists what it offers. Each name is imported when it is first used, so that a process that
only reads pictures does not load PyTorch.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
