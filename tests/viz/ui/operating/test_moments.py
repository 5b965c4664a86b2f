"""A moment says how the server does; the last ones are kept, and no more."""

import asyncio
import time

import pytest

from tests.machine import patience
from viz.answers.operating import Moment, Wait
from viz.engine.engine_state import CacheState, EngineState, ProcessState
from viz.engine.watched import TaskOutcome
from viz.ui.operating import moments
from viz.ui.operating.moments import (
    MOMENTS,
    PastMoments,
    caches_of,
    facts,
    memory_of,
    moment_now,
    note_moments,
)
from viz.ui.tally.counts import count_answer
from viz.ui.visit.service import engine
from viz.views.whole_model import Survey


def moment(at: float) -> Moment:
    """A moment at which nothing happened."""
    nothing: dict[str, int] = {}
    return Moment(
        at=at,
        waiting=0,
        running=0,
        wait=Wait(median=None, slow=None),
        answers=nothing,
        outcomes=nothing,
        refusals=nothing,
        memory=nothing,
        sessions=0,
        visits=0,
        restarts=0,
    )


def test_a_moment_has_what_was_answered_and_how_long_that_took() -> None:
    """Answers are counted by kind, and every end by what it was."""
    before = moment_now(EngineState())
    for outcome in ("answered", "answered", "failed"):
        count_answer(TaskOutcome("MomentOfATest", outcome, 7000.0, urgent=True))
    after = moment_now(EngineState(waiting=3, running=1, restarts=2))
    assert after.answers["MomentOfATest"] - before.answers.get("MomentOfATest", 0) == 2
    assert after.outcomes["failed"] - before.outcomes.get("failed", 0) == 1
    assert (after.waiting, after.running, after.restarts) == (3, 1, 2)
    assert after.wait.slow is not None
    assert after.wait.slow <= 7000.0
    assert after.at >= before.at


def test_only_the_last_moments_are_kept_and_only_new_ones_are_sent() -> None:
    """A page that has the others asks for those after them."""
    past = PastMoments()
    for number in range(MOMENTS + 5):
        past.note(moment(float(number)))
    assert [each.at for each in past.after(MOMENTS + 2.0)] == [MOMENTS + 3.0, MOMENTS + 4.0]
    assert len(past.after(-1.0)) == MOMENTS


def test_each_process_has_its_memory_and_its_caches() -> None:
    """One that does not say how much it takes is counted with the page."""
    cache = CacheState("values", 10, 100, 3, 4)
    state = EngineState(
        processes=(ProcessState("page", 0, (cache,)), ProcessState("models-2", 5_000, (cache,)))
    )
    memory = memory_of(state)
    assert set(memory) == {"page", "models-2"}
    assert memory["page"] > 10_000_000
    assert memory["models-2"] == 5_000
    *kept, uploads = caches_of(state)
    assert [(each.process, each.cache, each.bytes, each.hits) for each in kept] == [
        ("page", "values", 10, 3),
        ("models-2", "values", 10, 3),
    ]
    assert (uploads.cache, uploads.bytes, uploads.hits) == ("uploads", 0, None)


def test_the_server_keeps_moments_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator who opens the page after something went wrong sees what was before."""
    past = PastMoments()
    monkeypatch.setattr(moments, "PAST", past)
    monkeypatch.setattr(moments, "EVERY", 0.01)

    async def until_there_are_some() -> float:
        begun, noting = time.monotonic(), asyncio.create_task(note_moments())
        while len(past.after(0)) < 3:
            assert time.monotonic() < begun + patience(60)
            await asyncio.sleep(0.01)
        noting.cancel()
        return time.monotonic() - begun

    engine().do(Survey("lenet", "pretrained"), visitor="ann").result(patience(60))
    seconds = asyncio.run(until_there_are_some())
    told = facts(past, 0)
    assert told.engine == "LocalEngine"
    assert 2 < len(told.moments) <= seconds / moments.EVERY + 1
    assert told.moments[-1].answers["Survey"] >= 1
    assert told.sessions_limit == 500
