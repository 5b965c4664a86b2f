"""Columns of a figure as text: ``lenet:pretrained:conv2;photonet:random:stage1@2``.

Each is a model of the catalogue, ``pretrained`` or ``random``, and a layer; ``layer@2`` is its second call.
Parts are percent-encoded, so that colons and semicolons separate them. The browser writes the text
(``viz/ui/browser/figure/columns.js``).
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

from ..errors import RequestError

MOST_COLUMNS, MOST_PICTURES = 8, 4
_COLUMN = re.compile(r"([^:;@]+):(pretrained|random):([^:;@]+)(?:@([1-9][0-9]{0,3}))?")


class FigureColumn(NamedTuple):
    """A figure's column, a model's layer; ``call`` counts from 0."""

    model: str
    weights: str
    layer: str
    call: int = 0


def columns_in(text: str) -> tuple[FigureColumn, ...]:
    """Return the columns of a text, in their order.

    Raises:
        RequestError: it names none, too many, or one that cannot be.
    """
    parts = [part for part in text.split(";") if part]
    if not 1 <= len(parts) <= MOST_COLUMNS:
        raise RequestError("A figure on the page has 1 to {most} columns.", most=MOST_COLUMNS)
    return tuple(map(_column, parts))


def pictures_in(text: str) -> tuple[str, ...]:
    """Return the names of a figure's pictures, in their order.

    There are none for the picture on screen.

    Raises:
        RequestError: there are too many.
    """
    names = tuple(name for name in text.split(",") if name)
    if len(names) > MOST_PICTURES:
        raise RequestError("A figure on the page has 1 to {most} pictures.", most=MOST_PICTURES)
    return names


def _column(text: str) -> FigureColumn:
    found = _COLUMN.fullmatch(text)
    if found is None:
        raise RequestError(
            "The address names {column} as a column of a figure; one is written {example}.",
            column=repr(text[:40]),
            example="lenet:pretrained:conv2",
        )
    model, weights, layer, call = found.groups()
    return FigureColumn(unquote(model), weights, unquote(layer), int(call or 1) - 1)
