"""HTML of records, calls and layers: tables with small pictures.

Names are escaped. A table has at most ``MOST_ROWS`` rows and ``MOST_BYTES`` of pictures; each picture has the
first ``MOST_MAPS`` maps of the first input in the batch, in at most ``ROOM`` pixels.
"""

import base64
from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from html import escape
from typing import Any

import torch

from ..errors import VizError
from ..hooks.activations import LayerActivations
from ..hooks.recorder import Record
from ..hooks.records import Call, LayerRecord, leaves, to_array
from ..hooks.values.summaries import calls_text, shape_text, shapes_text
from ..maps.layout import arrange
from ..maps.mosaic import render_mosaic
from ..maps.viewport import Viewport

MOST_ROWS, MOST_BYTES, MOST_MAPS = 1000, 1_500_000, 8
ROOM = Viewport(192, 48)
_TEXT = 300  # characters in a cell
_ROW_HEIGHT = 32  # CSS pixels


@singledispatch
def html_of(value: Any) -> str:
    """Return the HTML of a value that a notebook shows.

    For other types it is the text.
    """
    return f"<pre>{escape(repr(value))}</pre>"


@html_of.register
def _(value: Record) -> str:
    pictures = _Pictures()
    rows = ((name, value.kind(name), calls_text(found), pictures.of(found)) for name, found in value.items())
    return _table(("layer", "type", "shape", "maps"), rows, len(value))


@html_of.register
def _(value: LayerRecord) -> str:
    pictures = _Pictures()
    rows = ((str(number), shapes_text(call.output), pictures.of([call])) for number, call in enumerate(value))
    return f"<b>{escape(value.name)}</b>{_table(('call', 'shape', 'maps'), rows, len(value))}"


@html_of.register
def _(value: Call) -> str:
    pictures, found = _Pictures(), leaves(value.output)
    rows = ((path, shape_text(tensor), pictures.of([Call(tensor)])) for path, tensor in found.items())
    return _table(("output", "shape", "maps"), rows, len(found))


@html_of.register
def _(value: LayerActivations) -> str:
    rows = value.rows()
    indented = (("\u2003" * name.count(".") + name, *cells, "") for name, cells in rows.items())
    return _table(("layer", "type", "shape", ""), indented, len(rows))


class _Pictures:
    """Pictures of one table, until they have ``MOST_BYTES`` together."""

    def __init__(self) -> None:
        self._left = MOST_BYTES

    def of(self, calls: Sequence[Call]) -> str:
        """Return an image of the first call's first tensor, or nothing."""
        tensors = list(leaves(calls[0].output).values())[:1] if calls and self._left > 0 else []
        data = next((png for tensor in tensors if (png := _png(tensor))), b"")
        if not data or len(data) > self._left:
            return ""
        self._left -= len(data)
        coded = base64.b64encode(data).decode()
        style = f"height:{_ROW_HEIGHT}px;image-rendering:pixelated;max-width:none;margin:0"
        return f'<img style="{style}" alt="" src="data:image/png;base64,{coded}">'


def _png(tensor: torch.Tensor) -> bytes | None:
    try:
        plain = tensor.layout is torch.strided and not tensor.is_nested
        maps = arrange(to_array(tensor[:1] if plain and tensor.ndim > 1 else tensor)).maps[:MOST_MAPS]
        return render_mosaic(maps, columns=len(maps), viewport=ROOM).png
    except VizError:
        return None


def _table(heads: Sequence[str], rows: Iterable[tuple[str, ...]], count: int) -> str:
    """Return a table whose last column is HTML already.

    The other columns are names, which are escaped.
    """
    lines = "".join(
        f"<tr>{''.join(_cells(row))}</tr>" for row, _ in zip(rows, range(MOST_ROWS), strict=False)
    )
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    more = f"<p>… and {count - MOST_ROWS} more</p>" if count > MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>{more}"


def _cells(row: tuple[str, ...]) -> Iterator[str]:
    for text in row[:-1]:
        short = text if len(text) <= _TEXT else f"{text[:_TEXT]}…"
        yield f'<td style="text-align:left">{escape(short)}</td>'
    yield f"<td>{row[-1]}</td>"
