"""Whose turn comes before somebody's: what a visitor who waits is told."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Waiting:
    """One who waits for something, and whether that is urgent."""

    visitor: Hashable
    urgent: bool


def before(waiting: Iterable[Waiting], visitor: Hashable) -> int | None:
    """How many others go before a visitor, given all in the order in which they came; None if none waits.

    Each other counts once, because visitors take turns. Whoever waits urgently goes before all who do not.
    """
    queue = list(waiting)
    mine = [(not each.urgent, number) for number, each in enumerate(queue) if each.visitor == visitor]
    if not mine:
        return None
    first = min(mine)
    return len(
        {
            each.visitor
            for number, each in enumerate(queue)
            if each.visitor != visitor and (not each.urgent, number) < first
        }
    )
