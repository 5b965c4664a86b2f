"""The names of ImageNet's classes, as torchvision spells them.

Importing torchvision takes two seconds, so they are read from its source.
"""

import ast
import importlib
import importlib.util
from functools import cache
from pathlib import Path

__all__ = ["imagenet_names"]

_FILE, _NAME = "models/_meta.py", "_IMAGENET_CATEGORIES"


@cache
def imagenet_names() -> tuple[str, ...]:
    """Return the 1,000 names in the order of the logits."""
    return _read() or _imported()


def _read() -> tuple[str, ...]:
    """Return the names in torchvision's source, if they are there."""
    found = importlib.util.find_spec("torchvision")
    path = Path(found.origin or "").parent / _FILE if found else Path(_FILE)
    if not path.is_file():
        return ()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [_NAME]:
            return tuple(ast.literal_eval(node.value))
    return ()


def _imported() -> tuple[str, ...]:
    """Return the names that torchvision gives to its classes."""
    weights = importlib.import_module("torchvision.models").get_model_weights("resnet18").DEFAULT
    return tuple(weights.meta["categories"])
