"""The catalogue of models, imported under the name of its package.

This file alone knows that name. In a checkout that is ``models``. In an installation it is
``layerglass.models``, so that ``site-packages`` gets no package with a name as common as ``models``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING or __package__ == "viz":
    import models
else:
    models = import_module("..models", __package__)

__all__ = ["models"]
