"""Layerglass: everything that ``viz`` offers, under one name.

This name works both in a checkout and where it is installed.

>>> import layerglass as lg
>>> layers = lg.LayerActivations(lg.models.load("photonet"))

The wheel puts ``viz`` and ``models`` inside this package, so that ``site-packages`` gets no packages with
names as common as these. In a checkout they stand beside it, and ``layerglass.viz`` is another name of
``viz``. ``viz/__init__.pyi`` lists what is offered; each name is imported when it is first used.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

if find_spec(f"{__name__}.viz") is None:
    from . import checkout

    checkout.enter()

from . import viz

__all__ = list(viz.__all__)
__all__ += ["models", "viz"]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used.

    The version alone needs neither PyTorch nor anything else.
    """
    if name == "models":
        return import_module(f"{__name__}.models")
    if name == "__version__":
        return import_module(f"{__name__}.viz.home").version()
    if name in viz.__all__:
        return getattr(viz, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
