"""Work in slices: a generator that yields where others may go first.

Between two slices other tasks use the same model, in another thread, or nobody ever comes back. So a task
must not yield inside a ``with`` block that changes the model, or that holds a mode of PyTorch.
"""

from collections.abc import Generator
from typing import Any, TypeVar, overload

Made = TypeVar("Made")
Sliced = Generator[None, None, Made]
"""Yields between its slices, and returns what was made."""


def went_on(slices: Sliced[Any]) -> tuple[bool, Any]:
    """Do the next slice; return whether it was last, and the answer."""
    try:
        next(slices)
    except StopIteration as end:
        return True, end.value
    return False, None


@overload
def at_once(work: Sliced[Made]) -> Made: ...
@overload
def at_once(work: Made) -> Made: ...
def at_once(work: Any) -> Any:
    """Return the answer of work, its slices done in a row."""
    if not isinstance(work, Generator):
        return work
    while True:
        is_over, answer = went_on(work)
        if is_over:
            return answer
