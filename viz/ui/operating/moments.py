"""Server state now and lately, from engine, door and visits."""

import asyncio
from collections import Counter, deque
from functools import cache
from time import time

from ...answers.operating import CacheFacts, Moment, ServerFacts, Wait
from ...engine.engine_state import EngineState, state_of
from ..door.limits import DoorLimits, limits
from ..door.uploads import kept_by_streamlit
from ..tally.counts import RECENT, answers_so_far, pages_open, refusals_so_far
from ..visit.service import engine
from ..visit.visit import open_visits
from .memory import page_memory

EVERY = 3.0  # seconds between two moments
MOMENTS = 300  # a quarter of an hour
WINDOW = 30.0  # seconds of answers behind each wait
MEDIAN, SLOW = 0.5, 0.95
BEGAN = time()


class PastMoments:
    """The last moments; many threads may use it at once."""

    def __init__(self) -> None:
        self._kept: deque[Moment] = deque(maxlen=MOMENTS)

    def note(self, moment: Moment) -> None:
        """Add a moment, and forget the oldest if there are too many."""
        self._kept.append(moment)

    def after(self, then: float) -> tuple[Moment, ...]:
        """The moments after a time, in seconds since 1970, oldest first."""
        return tuple(each for each in tuple(self._kept) if each.at > then)


def moment_now(state: EngineState) -> Moment:
    """Return the state of the server now."""
    median, slow = RECENT.quantiles(WINDOW, MEDIAN, SLOW)
    answers, outcomes = Counter[str](), Counter[str]()
    for (task, outcome), count in answers_so_far().items():
        outcomes[outcome] += count
        answers[task] += count if outcome == "answered" else 0
    return Moment(
        at=time(),
        waiting=state.waiting,
        running=state.running,
        wait=Wait(median=median, slow=slow),
        answers=dict(answers),
        outcomes=dict(outcomes),
        refusals=refusals_so_far(),
        memory=memory_of(state),
        sessions=pages_open(),
        visits=open_visits(),
        restarts=state.restarts,
    )


def memory_of(state: EngineState) -> dict[str, int]:
    """The bytes of each process's memory, by the process's name.

    Processes that report none are left out.
    """
    return {"page": page_memory()} | {each.name: each.memory for each in state.processes if each.memory}


def caches_of(state: EngineState) -> tuple[CacheFacts, ...]:
    """Return every cache's sizes and hits, and the uploads' size."""
    kept = [
        CacheFacts(
            process=process.name,
            cache=each.cache,
            bytes=each.bytes,
            limit=each.limit,
            hits=each.hits,
            misses=each.misses,
        )
        for process in state.processes
        for each in process.caches
    ]
    return (*kept, _uploads())


def facts(past: PastMoments, then: float) -> ServerFacts:
    """Return the operator page's facts, with the moments after a time.

    ``then`` is in seconds since 1970.
    """
    state = state_of(engine())
    return ServerFacts(
        began=BEGAN,
        engine=type(engine().engine).__name__,
        moments=past.after(then),
        caches=caches_of(state),
        memory_limit=state.memory_limit,
        sessions_limit=door_limits().sockets,
        put_aside=dict(state.put_aside),
    )


@cache
def door_limits() -> DoorLimits:
    """Return the limits of this server's door."""
    return limits()


def _uploads() -> CacheFacts:
    files = [len(data) for of_session in kept_by_streamlit().values() for data in of_session.values()]
    return CacheFacts(
        process="page",
        cache="uploads",
        bytes=sum(files),
        limit=door_limits().uploads_of_all,
        hits=None,
        misses=None,
    )


PAST = PastMoments()


async def note_moments() -> None:
    """Keep a moment every few seconds, while the server runs."""
    while True:
        PAST.note(await asyncio.to_thread(lambda: moment_now(state_of(engine()))))
        await asyncio.sleep(EVERY)
