"""Jobs of the processes that run visitors' answers.

They, not the page, import PyTorch.
"""

import importlib
from typing import Any

from PIL import Image

from ..loaders import Parts, subject_loader

Told = tuple[dict[str, Any], int, tuple[()]]


def answer(data: bytearray, size: tuple[int, int], asked: dict[str, Any]) -> Told:
    """Run an answer, and return its result: see ``viz.exercises.job``.

    Args:
        data: the picture as RGB bytes, row by row.
        size: its width and height in pixels.
        asked: the plain form that ``Asked.to_plain`` made.

    Raises:
        CodeError: the exercise's own solution cannot run.
    """
    image = Image.frombytes("RGB", (size[0], size[1]), bytes(data))
    wanted = importlib.import_module("....exercises.asked", __package__).RunRequest.from_plain(asked)
    return _job().check(_load, wanted, image).to_plain(), 0, ()


def ahead() -> None:
    """Import PyTorch and load the default net, once, before any answer comes."""
    _job().ready(_load)


def _job() -> Any:
    return importlib.import_module("....exercises.job", __package__)


def _none(weights: str) -> Parts:
    raise LookupError(f"an exercise has no weights of a visitor: {weights}")


_load = subject_loader(_none)
