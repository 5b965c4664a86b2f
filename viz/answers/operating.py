"""State of the server for its operator, and of the queue."""

from .message import Answer, Message


class Wait(Message, frozen=True, kw_only=True):
    """Waiting times of the tasks answered in the last half minute.

    They are null if there are none.

    Attributes:
        median: seconds.
        slow: seconds; the 95th percentile.
    """

    median: float | None
    slow: float | None


class Moment(Message, frozen=True, kw_only=True):
    """Figures of the server at one time.

    Attributes:
        at: seconds since 1970.
        waiting: tasks that wait for their turn.
        running: tasks that are worked on.
        answers: the number of tasks of each kind that were answered since the server began.
        outcomes: the number of tasks since then that were answered, refused, superseded and so on.
        refusals: the number of requests that the door has refused, by status.
        memory: bytes of each process, by its name.
        sessions: pages that are open.
        visits: visits that are kept, those that may come back too.
        restarts: processes for models that were replaced since the server began.
    """

    at: float
    waiting: int
    running: int
    wait: Wait
    answers: dict[str, int]
    outcomes: dict[str, int]
    refusals: dict[str, int]
    memory: dict[str, int]
    sessions: int
    visits: int
    restarts: int


class CacheFacts(Message, frozen=True, kw_only=True):
    """Bytes of one cache of one process, with hits and misses.

    What visitors have uploaded is no cache, but takes memory as one does; it has no hits.

    Attributes:
        process: its name: ``"page"``, ``"models-1"`` and so on.
        cache: ``"models"``, ``"values"``, ``"answers"`` or ``"uploads"``.
    """

    process: str
    cache: str
    bytes: int
    limit: int
    hits: int | None
    misses: int | None


class ServerFacts(Answer, frozen=True, kw_only=True):
    """operator.json.

    Attributes:
        began: when the server began, in seconds since 1970.
        engine: which kind of engine answers: ``"LocalEngine"``, ``"ProcessEngine"`` and so on.
        moments: the last ones, oldest first; only those after the time that was asked for.
        memory_limit: bytes that the processes for models may take together; null if nobody said.
        sessions_limit: how many pages may be open.
        put_aside: models that are refused, each with the reason.
    """

    began: float
    engine: str
    moments: tuple[Moment, ...]
    caches: tuple[CacheFacts, ...]
    memory_limit: int | None
    sessions_limit: int
    put_aside: dict[str, str]


class PlaceFacts(Answer, frozen=True, kw_only=True):
    """place.json: how long the queue is for this visitor now.

    Attributes:
        ahead: how many other visitors go before; null if this one waits for nothing, or nobody knows.
    """

    ahead: int | None
