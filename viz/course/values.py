"""Values in a lesson's sentences, such as ``{len(kept)}`` and ``{mean:.2f}``.

They are evaluated after the run.
"""

import string
from collections.abc import Callable, Mapping
from typing import Any

_FORMATTER = string.Formatter()
_LONGEST = 200  # characters of one value in a sentence


def expressions_in(text: str) -> list[str]:
    """Return the expressions in a text's braces, in their order.

    Raises:
        ValueError: a brace is alone.
    """
    return [name for _, name, _, _ in _parsed(text) if name is not None]


def filled(text: str, values: Mapping[str, str], mark: Callable[[str], str] = str) -> str:
    """Return the text with a value for each expression.

    ``values`` has them by ``label``, and ``mark`` is applied to every one.
    """
    parts = []
    for literal, name, form, _ in _parsed(text):
        parts.append(literal)
        if name is not None:
            parts.append(mark(values[label(name, form or "")]))
    return "".join(parts)


def labels_in(text: str) -> list[tuple[str, str, str]]:
    """Return (label, expression, format) of each pair of braces in a text."""
    return [
        (label(name, form or ""), name, form or "") for _, name, form, _ in _parsed(text) if name is not None
    ]


def label(expression: str, form: str) -> str:
    """Return a value's label, from its expression and format."""
    return f"{expression}:{form}" if form else expression


def written(value: Any, form: str = "") -> str:
    """Return a value as text for a sentence.

    A shape is written as a tuple.
    """
    plain = tuple(value) if type(value).__name__ == "Size" else value
    return (format(plain, form) if form else str(plain))[:_LONGEST]


def _parsed(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    return list(_FORMATTER.parse(text))
