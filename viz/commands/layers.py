"""``layers``: a model's layers as an aligned tree, or as JSON."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import LayoutError
from ..hooks.activations import LayerActivations
from ..maps.layout import best_kind
from ..maps.layout_known import known_kind
from ..passes.forward import BLANK, input_size
from ..pictures.subject import Subject
from ..profile.rows import LayerRow, Shape
from ..receptive.places.known import known_arrangements
from ..request.arrangement import first_known
from ..sentences import Sentence

HEADINGS = ("layer", "type", "settings", "parameters", "calls", "layout", "output")
RIGHT_ALIGNED = ("parameters", "calls")
CUT = (("output", 22), ("settings", 8), ("type", 8), ("layout", 6), ("output", 6))  # in turn, down to a width
TIMES = " × "
MOST_SAID = 3  # names and shapes of one layer; JSON has every shape


class LayerLayout(NamedTuple):
    """Layout of a layer's first call in a view, known or guessed."""

    kind: str
    known: bool


Layouts = Mapping[str, LayerLayout]


def layer_layouts(layers: LayerActivations, subject: Subject, rows: Sequence[LayerRow]) -> Layouts:
    """Return the layouts of layers that return one tensor, by name.

    They come from one pass on grey.
    """
    arguments = subject.arguments(BLANK)
    known, size = known_arrangements(layers, arguments), input_size(arguments)
    found: dict[str, LayerLayout] = {}
    for row in rows:
        shape, told = row.shapes[0] if row.shapes else None, first_known(known, row.name, 0)
        if shape is not None:
            try:
                kind = best_kind(shape, row.type, size, told)
            except LayoutError:
                continue
            found[row.name] = LayerLayout(kind, known=kind == known_kind(told, shape, size))
    return found


def layers_json(rows: Sequence[LayerRow], layouts: Layouts) -> str:
    """Return a JSON list with one object for each layer.

    An object has ``name``, ``type``, ``parameters``, ``calls``, ``shapes`` (for each call a list of integers,
    or null where the layer did not return one tensor), ``layout`` (the ``kind`` in which its first call is
    drawn and whether that is ``known``, or null), ``reason`` (why it has no call, or null) and ``evidence``
    (the kind of evidence for the reason, such as ``"direct"``, or null).
    """
    objects = [
        {
            "name": row.name,
            "type": row.type,
            "parameters": row.parameters,
            "calls": row.calls,
            "shapes": [None if shape is None else list(shape) for shape in row.shapes],
            "layout": _layout(layouts, row),
            "reason": row.reason,
            "evidence": row.evidence,
        }
        for row in rows
    ]
    return "[" + ",\n ".join(map(json.dumps, objects)) + "]"


def _layout(layouts: Layouts, row: LayerRow) -> dict[str, Any] | None:
    return layouts[row.name]._asdict() if row.name in layouts else None


def layers_tree(rows: Sequence[LayerRow], layouts: Layouts, width: int | None = None) -> str:
    """Return lines of aligned columns, a line for each layer.

    Names are whole, ready for ``--layer``, and indented by depth. With a ``width``, such as a terminal's,
    other columns are cut until lines fit into it, if they can.
    """
    table = [HEADINGS, *(_cells(row, layouts.get(row.name)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    if width is not None:
        widths = _narrowed(widths, width)
    return "\n".join(_line(cells, widths) for cells in table)


def shape_text(shape: Shape) -> str:
    """Return a shape such as ``1 × 64 × 56 × 56``."""
    if shape is None:
        return "no single tensor"
    return TIMES.join(map(str, shape)) or Sentence("a single number")


def _few(parts: Sequence[str], between: str) -> str:
    """Return the first parts in one line, and how many more.

    A layer that runs in sixty places has sixty names and shapes.
    """
    left = len(parts) - MOST_SAID
    said = between.join(parts[:MOST_SAID])
    return f"{said}{between}… ({left} more)" if left > 0 else said


def _cells(row: LayerRow, layout: LayerLayout | None) -> tuple[str, ...]:
    name = "  " * row.depth + _few([row.name, *row.aliases], " = ")
    drawn = f"{layout.kind}, {'known' if layout.known else 'guessed'}" if layout else ""
    return name, row.type, row.detail, f"{row.parameters:,}", str(row.calls), drawn, _outcome(row)


def _outcome(row: LayerRow) -> str:
    """Return the shapes of a layer's calls, or why it has none."""
    if row.reason is not None:
        return f"no output: {row.reason}"
    shapes = row.shapes[:1] if len(set(row.shapes)) == 1 else row.shapes
    return _few([shape_text(shape) for shape in shapes], ", ")


def _narrowed(widths: Sequence[int], most: int) -> list[int]:
    """Return widths that fit into a line, by the order of ``CUT``."""
    narrow = list(widths)
    for heading, least in CUT:
        place = HEADINGS.index(heading)
        over = sum(narrow) + 2 * (len(narrow) - 1) - most
        narrow[place] -= max(0, min(over, narrow[place] - least))
    return narrow


def _cut(cell: str, width: int) -> str:
    return cell if len(cell) <= width else cell[: width - 1] + "…"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.rjust(width) if heading in RIGHT_ALIGNED else _cut(cell, width).ljust(width)
        for cell, width, heading in zip(cells, widths, HEADINGS, strict=True)
    ]
    return "  ".join(padded).rstrip()
