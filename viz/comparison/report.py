"""Reports of a comparison: JSON lines, aligned columns, and a verdict."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict

from ..sentences import Sentence
from .rows import Divergence, DivergenceRow

HEADINGS = ("layer", "other", "output", "max abs", "max rel", "cosine", "outside", "")
INFINITE = "1e999"  # JSON has no word for infinity; every reader makes one of this number


def json_line(row: DivergenceRow) -> str:
    """Return a row as a JSON object; infinite numbers are 1e999."""
    parts = (f"{json.dumps(name)}: {_json(value)}" for name, value in asdict(row).items())
    return "{" + ", ".join(parts) + "}"


def _json(value: object) -> str:
    return INFINITE if isinstance(value, float) and math.isinf(value) else json.dumps(value)


def table(found: Divergence) -> str:
    """Return the rows in aligned columns, the first difference marked ``>``."""
    lines = [HEADINGS, *(_cells(row) for row in found)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    marks = [" ", *(">" if row.first else " " for row in found)]
    return "\n".join(_line(mark, cells, widths) for mark, cells in zip(marks, lines, strict=True))


def markdown(found: Divergence) -> str:
    """Return a Markdown report: the verdict, then the table.

    The first layer outside the tolerance is in bold.
    """
    lines = [HEADINGS, ("---",) * len(HEADINGS)]
    for row in found:
        cells = tuple(cell.replace("|", "\\|") for cell in _cells(row))
        lines.append(tuple(f"**{cell}**" if cell else "" for cell in cells) if row.first else cells)
    rows = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"{verdict(found)}\n\n{rows}\n"


def verdict(found: Divergence) -> Sentence:
    """Return one sentence: where the two part, or that they agree."""
    first = found.first
    if first is None:
        return Sentence(
            "The two agree: none of {count} layers has a value outside the tolerance of {tolerance}.",
            count=sum(row.outside is not None for row in found),
            tolerance=_tolerance(found),
        )
    values = {
        "layer": _name(first.layer if first.layer is not None else first.other),
        "share": f"{first.outside or 0:.2%}",
        "tolerance": _tolerance(found),
    }
    if first.other is None:
        return Sentence(
            "The two part at {layer}, which only the first has and which changes {share} of its values.",
            **values,
        )
    if first.layer is None:
        return Sentence(
            "The two part at {layer}, which only the second has and which changes {share} of its values.",
            **values,
        )
    if first.made_here:
        return Sentence(
            "The two part at {layer}: given the same input, {share} of its values are outside the tolerance "
            "of {tolerance}.",
            **values,
        )
    return _handed(found, first, values)


def _handed(found: Divergence, first: DivergenceRow, values: dict[str, str]) -> Sentence:
    if found.same_inputs is False and first.made_here is False:
        return Sentence(
            "The two are given different inputs: {share} of the values of {layer} are outside the tolerance "
            "of {tolerance}, and none of them because of the layer itself. Compare how the inputs are "
            "prepared.",
            **values,
        )
    if first.made_here is False:
        return Sentence(
            "The two part before {layer}: {share} of its values are outside the tolerance of {tolerance}, "
            "but only because of what it is given, so the cause lies in code outside layers.",
            **values,
        )
    return Sentence(
        "The two part at {layer}: {share} of its values are outside the tolerance of {tolerance}.", **values
    )


def _tolerance(found: Divergence) -> str:
    absolute, relative = found.tolerance
    return f"{absolute:g} + {relative:g} × |b|"


def _name(name: str | None) -> Sentence | str:
    """Return a layer's name, in one line; the model itself has none."""
    if name == "":
        return Sentence("the model's output")
    return "".join(filter(str.isprintable, name)) if name else "–"


def _cells(row: DivergenceRow) -> tuple[str, ...]:
    shape = " × ".join(map(str, row.shape)) if row.shape is not None else ""
    made = Sentence("made here") if row.made_here and row.outside else ""
    numbers = (_number(row.max_abs), _number(row.max_rel), _number(row.cosine, "{:.6f}"))
    outside = "" if row.outside is None else f"{row.outside:.2%}"
    return (
        str(_name(row.layer)),
        str(_name(row.other)),
        shape,
        *numbers,
        outside,
        str(made or row.reason or ""),
    )


def _number(value: float | None, form: str = "{:.2e}") -> str:
    return "" if value is None else form.format(value)


def _line(mark: str, cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.ljust(width) if place < 3 or place == len(cells) - 1 else cell.rjust(width)  # noqa: PLR2004  # names
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return f"{mark} {'  '.join(padded)}".rstrip()
