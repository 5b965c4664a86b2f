"""The layer and the call of a comparison's other side."""

from collections.abc import Sequence

from ....layer_names import is_operation
from ....profile.rows import LayerRow, first_layer
from ....request.look import Look

SAME, WITHOUT = "same", "none"


def is_same(said: str) -> bool:
    """Return whether a look's choice follows the first side."""
    return said in ("", SAME)


def layer_beside(rows: Sequence[LayerRow], others: Sequence[LayerRow], look: Look, layer: str) -> LayerRow:
    """Return the other side's layer: the chosen one, else the same.

    If the other model has neither, it stays where both were at last: at the last layer before this one that
    both have, or else at its own first.
    """
    by_name = {row.name: row for row in others}
    for name in (look.with_layer, layer):
        if not is_same(name) and name in by_name:
            return by_name[name]
    names = [row.name for row in rows if not is_operation(row.name) or row.name == layer]
    before = names[: names.index(layer)] if layer in names else []
    both = next((name for name in reversed(before) if name in by_name), "")
    return by_name[both or first_place(others)]


def first_place(rows: Sequence[LayerRow]) -> str:
    """The layer to begin with, which is no operation."""
    return first_layer([row for row in rows if not is_operation(row.name)])


def calls_offered(row: LayerRow, look: Look) -> tuple[str, ...]:
    """Return a chosen layer's calls after the first; empty for others."""
    chosen = not is_same(look.with_layer) and look.with_layer == row.name
    return tuple(str(number) for number in range(2, row.calls + 1)) if chosen else ()


def call_beside(row: LayerRow, look: Look) -> int:
    """Return the other side's call, counted from 0.

    A chosen layer has the look's call, any other one the first side's.
    """
    offered = calls_offered(row, look)
    if offered:
        return int(look.with_call) - 1 if look.with_call in offered else 0
    return max(0, min(look.call, row.calls - 1))
