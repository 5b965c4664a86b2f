"""Where a visitor stands in the models' queue."""

from .message import Answer


class PlaceFacts(Answer, frozen=True, kw_only=True):
    """place.json: how long the queue is for this visitor now.

    Attributes:
        ahead: how many other visitors go before; null if this one waits for nothing, or nobody knows.
    """

    ahead: int | None
