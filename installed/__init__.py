"""Layerglass, installed: what it offers stands here; ``layerglass.models`` is the catalogue.

>>> import layerglass
>>> layers = layerglass.LayerActivations(layerglass.models.load("photonet"))

In a checkout this folder is called ``installed``, and ``viz`` and ``models`` stand beside it. The wheel puts
them inside it, so that ``site-packages`` gets no packages with names as common as ``viz`` and ``models``.
``__init__.pyi`` lists what it offers: what ``viz`` does, its errors, and ``__version__``.
"""

from typing import Any

import lazy_loader

_offered, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: the version alone needs neither PyTorch nor anything else."""
    if name != "__version__":
        return _offered(name)
    from importlib import metadata  # noqa: PLC0415  # likewise

    return metadata.version("layerglass")
