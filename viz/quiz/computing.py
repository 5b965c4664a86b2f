"""Answers computed once more from what a question shows, beside the net."""

import re
from math import prod

import numpy as np

from .looking.outputs import CONVOLUTION, MOST_FILTERS, SAME
from .looking.values import ROWS, VALUES
from .question import Question

Lengths = tuple[int, ...]
_WINDOW = re.compile(r"(\d+)×(\d+), stride (\d+)(?:, padding (\d+))?")
_MINUS = "−"


def computed(question: Question) -> str | None:
    """Return the right choice by the numbers and settings shown.

    None where only a run can tell.
    """
    if question.kind in ("relu", "pool"):
        return _of_numbers(question)
    if question.kind in ("output", "shape"):
        kind, _, detail = question.type.partition(" ")
        given = tuple(map(int, question.facts["given"].split(" × ")))
        lengths = _of_settings(kind, detail, given)
        return None if lengths is None else " × ".join(map(str, lengths))
    return None


def is_too_much(question: Question) -> bool:
    """Return whether an easy question takes more than looking and counting."""
    found = CONVOLUTION.fullmatch(question.type.partition(" ")[2])
    return bool(question.kind == "output" and found and (found[3] == "1" or int(found[2]) > MOST_FILTERS))


def _of_numbers(question: Question) -> str:
    values = np.array([[float(each.replace(_MINUS, "-")) for each in row] for row in question.numbers])
    if question.kind == "relu":
        made = np.where(values > 0, values, 0)
    else:
        made = np.maximum(np.maximum(values[::2, ::2], values[::2, 1::2]), values[1::2, ::2])
        made = np.maximum(made, values[1::2, 1::2])
    return ROWS.join(VALUES.join(f"{each:.1f}".replace("-", _MINUS) for each in row) for row in made)


def _of_settings(kind: str, detail: str, given: Lengths) -> Lengths | None:
    """Return an output's shape from a layer's settings and its input's shape.

    Source: the formulas of PyTorch's documentation for ``Conv2d``, ``MaxPool2d``, ``Linear`` and ``Flatten``.
    """
    if kind in SAME:
        return given
    if kind == "Flatten":
        return (prod(given),)
    channels, arrow, rest = detail.partition("→")
    if kind == "Linear" and arrow:
        return (*given[:-1], int(rest.split(",")[0]))
    maps = int(rest.split(",")[0]) if arrow else given[0]
    settings = _WINDOW.fullmatch(rest.partition(", ")[2] if arrow else channels)
    if kind not in ("Conv2d", "MaxPool2d") or settings is None:
        return None
    high, wide, step, padding = (int(part or 0) for part in settings.groups())
    window = zip(given[1:], (high, wide), strict=True)
    return (maps, *((side + 2 * padding - size) // step + 1 for side, size in window))
