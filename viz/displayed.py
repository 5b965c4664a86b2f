"""HTML of values in notebooks.

A value's room cannot draw its maps; ``viz`` names a room above that can.
"""

from collections.abc import Callable
from typing import Any

_DRAWN: list[Callable[[Any], str]] = []


class DisplayedValue:
    """A value that a notebook shows as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return the HTML, or None where nothing draws it.

        A notebook then prints the value.
        """
        return _DRAWN[0](self) if _DRAWN else None


def draw_with(function: Callable[[Any], str]) -> None:
    """Draw all values with this function from now on."""
    _DRAWN[:] = [function]
