"""The files of torchvision's trained weights, known without importing it.

The import takes as long as everything else that stands between a start and its first maps, so one release's
names, addresses and sizes are kept in ``torchvision_files.json``. Another release is asked itself.
``python -m tools.torchvision_files --update`` writes the file.
"""

import json
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["KEPT", "known_files"]

KEPT = Path(__file__).with_suffix(".json")


@cache
def known_files(path: Path = KEPT) -> dict[str, tuple[str, int]] | None:
    """Return the address and size of each model's newest weights.

    The sizes are in bytes. The result is None for another release of torchvision.
    """
    kept = json.loads(path.read_text(encoding="utf-8"))
    if kept["torchvision"] != _installed():
        return None
    return {model: (url, size) for model, (url, size) in kept["files"].items()}


def _installed() -> str:
    try:
        return version("torchvision").partition("+")[0]  # "0.29.2+cpu" lists the same models
    except PackageNotFoundError:
        return ""
