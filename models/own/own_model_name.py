"""Name of the operator's own model, read without importing or making it."""

import os
import re

__all__ = ["SETTING", "own_model_name", "setting"]

SETTING = "LAYERGLASS_MODEL"


def own_model_name() -> str:
    """Return the id of the operator's own model, or an empty string.

    >>> isinstance(lg.models.own_model_name(), str)  # empty unless a model was given with --model
    True
    """
    return re.split("[:.]", setting())[-1]


def setting() -> str:
    """Return the model's name: ``package.module:factory``, or an empty string."""
    return os.environ.get(SETTING, "").strip()
