"""``layers``: a model's layers as an aligned tree for people, or as JSON for programs."""

import json
from collections.abc import Sequence

from ..profile.tree import LayerRow, Shape
from ..sentences import Sentence

HEADINGS = ("layer", "type", "settings", "parameters", "calls", "output")
RIGHT_ALIGNED = ("parameters", "calls")
TIMES = " × "


def layers_json(rows: Sequence[LayerRow]) -> str:
    """Return a JSON list with one object for each layer.

    An object has ``name``, ``type``, ``parameters``, ``calls``, ``shapes`` (for each call a list of integers,
    or null where the layer did not return one tensor) ``reason`` (why it has no call, or null) and
    ``evidence`` (the kind of evidence for the reason, such as ``"direct"``, or null).
    """
    objects = [
        {
            "name": row.name,
            "type": row.type,
            "parameters": row.parameters,
            "calls": row.calls,
            "shapes": [None if shape is None else list(shape) for shape in row.shapes],
            "reason": row.reason,
            "evidence": row.evidence,
        }
        for row in rows
    ]
    return "[" + ",\n ".join(map(json.dumps, objects)) + "]"


def layers_tree(rows: Sequence[LayerRow]) -> str:
    """Return lines of aligned columns; names are whole, ready for ``--layer``, and indented by depth."""
    table = [HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(_line(cells, widths) for cells in table)


def shape_text(shape: Shape) -> str:
    """Return a shape such as ``1 × 64 × 56 × 56``."""
    if shape is None:
        return "no single tensor"
    return TIMES.join(map(str, shape)) or Sentence("a single number")


def _cells(row: LayerRow) -> tuple[str, ...]:
    name = "  " * row.depth + row.name + "".join(f" = {alias}" for alias in row.aliases)
    return name, row.type, row.detail, f"{row.parameters:,}", str(row.calls), _outcome(row)


def _outcome(row: LayerRow) -> str:
    """Return the shape of every call, said once where all calls agree, or why there was no call."""
    if row.reason is not None:
        return f"no output: {row.reason}"
    shapes = row.shapes[:1] if len(set(row.shapes)) == 1 else row.shapes
    return ", ".join(shape_text(shape) for shape in shapes)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.rjust(width) if heading in RIGHT_ALIGNED else cell.ljust(width)
        for cell, width, heading in zip(cells, widths, HEADINGS, strict=True)
    ]
    return "  ".join(padded).rstrip()
