"""Under which name the operator's own model is known; to know that, nothing is imported or made."""

import os
import re

__all__ = ["SETTING", "own_model_name", "setting"]

SETTING = "LAYERGLASS_MODEL"


def own_model_name() -> str:
    """Return the id of the operator's own model, or an empty string if there is none."""
    return re.split("[:.]", setting())[-1]


def setting() -> str:
    """Return the model's name: ``package.module:factory``, or an empty string."""
    return os.environ.get(SETTING, "").strip()
