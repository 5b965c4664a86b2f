"""Work that needs no model, such as packing a file.

An engine does it where no other task waits for it.
"""

import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any

from .task import PACKAGE, Bench, Question, Shelf


@dataclass(frozen=True)
class Apart(Question[Any]):
    """Task that calls a function; its result is not kept.

    The function and its values travel to where it is computed.

    Attributes:
        call: a function that can be found by its name, or a ``partial`` of one with its values.
    """

    call: Callable[[], Any] = field(repr=False)
    key: Hashable = field(default_factory=lambda: ("apart", secrets.token_hex(8)))
    model: str = ""
    weights: str = "apart"  # the place of such work, as a model has one

    behind = True
    apart = True
    shelf: Shelf = ""

    @property
    def lane(self) -> str:
        """One of its own: a visitor may wait for several files."""
        return str(self.key)

    def work(self, _: Bench) -> Any:
        """See ``Task``; raises the function's errors."""
        return self.call()


def called(function: str, *given: Any, **named: Any) -> Any:
    """Import and call ``"room.module:function"`` below this package."""
    return resolve_name(f"{PACKAGE}.{function}")(*given, **named)
