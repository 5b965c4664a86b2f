"""The catalogue of models, beside this package: the one file that knows under which name it is there.

In a checkout it is ``models``. In an installation it is ``layerglass.models``, for a name as common as
``models`` belongs to whoever installs us.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING or __package__ == "viz":
    import models
else:
    models = import_module("..models", __package__)

__all__ = ["models"]
