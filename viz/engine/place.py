"""Places of waiting visitors in the queue."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class WaitingVisitor:
    """A waiting visitor, and whether the wait is urgent."""

    visitor: Hashable
    urgent: bool


def before(waiting: Iterable[WaitingVisitor], visitor: Hashable) -> int | None:
    """Return the number of others before a visitor.

    None if that one does not wait. All are given in the order in which they came. Each other counts once,
    because visitors take turns. Urgent ones go before all others.
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
