"""Layerglass, the service: capture, arrange and draw a PyTorch model's layers.

>>> from viz import LayerActivations, render_mosaic
>>> layers = LayerActivations(model)
>>> with layers.capture("conv1") as record:
...     layers.run(images)
>>> mosaic = render_mosaic(record["conv1"].output[0].cpu().numpy())

``__init__.pyi`` lists what it offers. Each name is imported when it is first used, so that a process that
only reads pictures does not load PyTorch.
"""

from typing import Any

import lazy_loader

from . import displayed

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def _html_of(value: Any) -> str:
    """Draw a value for a notebook.

    The drawing is imported only then.
    """
    from .representations.html import html_of  # noqa: PLC0415

    return html_of(value)


displayed.draw_with(_html_of)
