"""The ``with`` blocks that are open here, and which of them take part in a call of a layer."""

import itertools
from contextvars import ContextVar

from torch import nn

from .taps import EDIT_GRADIENT, Stop, Tap

_ENTRIES = itertools.count()


class Block:
    """One tap of one open ``with`` block, and its place among the others that see the same call."""

    def __init__(self, tap: Tap) -> None:
        entry = next(_ENTRIES)
        self.tap = tap
        # a gradient passes the last alias first, so gradient edits line up in reverse
        self.place = (tap.rank, -entry if tap.rank == EDIT_GRADIENT else entry)


# Not a list for the process: what one thread, or one asyncio task, has open is nobody else's.
_OPEN: ContextVar[tuple[Block, ...]] = ContextVar("open_blocks", default=())


def open_taps() -> list[Tap]:
    """Return the taps that are open here, in the order in which their blocks were entered."""
    return [block.tap for block in _OPEN.get()]


def open_blocks(blocks: list[Block]) -> None:
    """Let these blocks take part in calls that are made here."""
    _OPEN.set((*_OPEN.get(), *blocks))


def close_blocks(blocks: list[Block]) -> None:
    """Let these blocks take part no more."""
    _OPEN.set(tuple(block for block in _OPEN.get() if block not in blocks))


def in_turn(block: Block, layer: nn.Module) -> list[Tap]:
    """Return the taps that see this call, in turn, to the first block that asks, and none to the others.

    So the order does not depend on that of the hooks. A call made elsewhere, or made after the run was
    stopped, is nobody's.
    """
    ours = [each for each in _OPEN.get() if layer in each.tap.layers]
    if not ours or ours[0] is not block or _stopped():
        return []
    return [each.tap for each in sorted(ours, key=lambda each: each.place)]


def _stopped() -> bool:
    """Return whether the innermost stop was reached, but the model swallowed it and went on."""
    stops = [tap for tap in open_taps() if isinstance(tap, Stop)]
    return bool(stops) and stops[-1].reached
