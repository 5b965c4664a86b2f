"""The ``with`` blocks that are open in this thread or task."""

import itertools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any
from weakref import ref

from torch import nn

from .functional import Place
from .taps import EDIT_GRADIENT, Stop, Tap

_ENTRIES = itertools.count()


class OpenTap:
    """One tap of an open ``with`` block, and its turn among others."""

    def __init__(self, tap: Tap) -> None:
        entry = next(_ENTRIES)
        self.tap = tap
        self.closed = False
        # a gradient passes the tap that was applied last first, so gradient edits line up in reverse
        self.place = (tap.rank, -entry if tap.rank == EDIT_GRADIENT else entry)


# A context variable, not a list for the process: each thread, or asyncio task, has its own open blocks.
_OPEN: ContextVar[tuple[OpenTap, ...]] = ContextVar("open_blocks", default=())


def open_taps() -> list[Tap]:
    """Return this thread's or task's open taps, in order of entry."""
    return [block.tap for block in _OPEN.get()]


def open_blocks(blocks: list[OpenTap]) -> None:
    """Let these blocks take part in calls that are made here."""
    _OPEN.set((*_OPEN.get(), *blocks))


def close_blocks(blocks: list[OpenTap]) -> None:
    """Remove these blocks from the open ones."""
    for block in blocks:
        block.closed = True
    _OPEN.set(tuple(block for block in _OPEN.get() if block not in blocks))


def with_open_blocks(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose calls see the blocks that are open now.

    Blocks that have closed by then are left out. A backward pass may make such a call in a thread of its own.
    """
    blocks = [ref(block) for block in _OPEN.get()]  # a graph that a record keeps may keep this function

    def call(*args: Any, **kwargs: Any) -> Any:
        token = _OPEN.set(tuple(block for each in blocks if (block := each()) and not block.closed))
        try:
            return function(*args, **kwargs)
        finally:
            _OPEN.reset(token)

    return call


def is_open(block: OpenTap) -> bool:
    """Return whether a block was opened in this thread or asyncio task."""
    return block in _OPEN.get()


def in_turn(block: OpenTap, layer: nn.Module, *, inputs: bool = False) -> list[Tap]:
    """Return the taps that see this call, for the first block only.

    They come in order; all other blocks get none. So their order does not depend on that of the hooks. A call
    made elsewhere, or after the run was stopped, has no taps.

    Args:
        block: which block asks.
        layer: the layer that is called.
        inputs: whether the call begins: then only taps that have to do with inputs are meant.
    """
    blocks = _OPEN.get()
    if blocks == (block,):  # nearly always, and this is where a pass spends its time
        return (
            [block.tap] if layer in block.tap.layers and not block.tap.over else []
        )  # a copy has the hook too
    ours = [each for each in _seeing(layer) if each.tap.needs_inputs or not inputs]
    if not ours or ours[0] is not block or stopped():
        return []
    return _in_order(ours)


def tapping(*places: Place) -> list[Tap]:
    """Return the taps that see one of these places, in order."""
    return _in_order(_seeing(*places))


def stopped() -> bool:
    """Return whether the model went on after the innermost stop."""
    stops = [tap for tap in open_taps() if isinstance(tap, Stop)]
    return bool(stops) and stops[-1].over


def _seeing(*places: Place) -> list[OpenTap]:
    return [block for block in _OPEN.get() if any(place in block.tap.layers for place in places)]


def _in_order(blocks: list[OpenTap]) -> list[Tap]:
    return [block.tap for block in sorted(blocks, key=lambda block: block.place)]
