"""Summaries of values and calls as text that fits a screen."""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .structure import leaves

MOST_ROWS = 40
_MOST_LEAVES, _MOST_CALLS, _WIDEST = 6, 6, 48


def shapes_text(value: Any) -> str:
    """Return paths and shapes of a value's tensors: ``output[0] (1, 64)``.

    Without tensors it is the value itself, shortened.
    """
    said = [f"{path} {shape_text(tensor)}" for path, tensor in leaves(value).items()]
    return ", ".join(shortened(said[:_MOST_LEAVES], len(said))) or reprlib.repr(value)


def shape_text(tensor: torch.Tensor) -> str:
    """Return a tensor's shape, such as ``(1, 64)``; a nested one has none."""
    return "nested" if tensor.is_nested else str(tuple(tensor.shape))


def calls_text(calls: Sequence[Any]) -> str:
    """Return the shapes of a layer's outputs, such as ``(1, 64) × 3`` or ``(1, 64); (1, 32)``."""
    said = [shapes_text(call.output).removeprefix("output ") for call in calls[:_MOST_CALLS]]
    if len(set(said)) == 1:
        return said[0] if len(calls) == 1 else f"{said[0]} × {len(calls)}"
    return "; ".join(shortened(said, len(calls))) or "no call"


def calls_repr(calls: Sequence[Any]) -> str:
    """Return the ``repr`` of a list of calls, shortened."""
    said = [repr(call) for call in calls[:_MOST_CALLS]]
    return f"[{', '.join(shortened(said, len(calls)))}]"


def table(rows: Mapping[str, Sequence[str]], count: int) -> str:
    """Return a table of names that fits a screen.

    Its last line counts those of ``count`` that are left out.
    """
    shown = [(name or "(the model)", *cells) for name, cells in list(rows.items())[:MOST_ROWS]]
    widths = [min(_WIDEST, max(map(len, column))) for column in zip(*shown, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in shown
    ]
    return "\n".join(f"  {line}" for line in shortened(lines, count))


def shortened(said: Sequence[str], count: int) -> list[str]:
    """Return these texts of ``count``, and how many more there are."""
    more = count - len(said)
    return [*said, f"… and {more} more"] if more > 0 else list(said)


def top(names: Sequence[str]) -> list[str]:
    """Return the levels of dotted names that fit on a screen.

    The first level is always there.
    """
    for depth in range(max((name.count(".") for name in names), default=0), 0, -1):
        shown = [name for name in names if name.count(".") <= depth]
        if len(shown) <= MOST_ROWS:
            return shown
    return [name for name in names if "." not in name]
