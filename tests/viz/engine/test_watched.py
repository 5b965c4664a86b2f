"""Outcomes of tasks: each is told once, whatever it is; answers and errors are not changed by it."""

from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass

import pytest

from tests.machine import patience
from tests.viz.subjects import Shelf, photo, wanted
from viz.engine.engine import LocalEngine
from viz.engine.task import Bench, Question
from viz.engine.task import Shelf as Place
from viz.engine.watched import TaskOutcome, WatchedEngine
from viz.errors import EngineClosedError, RequestError, SupersededError, UnknownLayerError
from viz.views.one_layer import View
from viz.views.whole_model import Survey

WAIT = patience(120)


@dataclass(frozen=True)
class Breaking(Question):
    """A task with a bug."""

    key: str = "breaking"
    shelf: Place = ""

    def work(self, _: Bench) -> None:
        """Fail as a bug does."""
        raise KeyError("bug")


@dataclass
class Watching:
    """An engine that is watched, and what has been told of it."""

    engine: WatchedEngine
    shelf: Shelf
    told: list[TaskOutcome]

    def outcomes(self) -> list[tuple[str, str]]:
        """Each task's kind and what became of it."""
        return [(each.task, each.outcome) for each in self.told]


@pytest.fixture
def watching() -> Iterator[Watching]:
    """An engine in this process, with a model at hand."""
    shelf, told = Shelf(), list[TaskOutcome]()
    engine = WatchedEngine(LocalEngine(shelf, device="cpu"), told.append)
    engine.do(Survey("counting", "random"), visitor="ann").result(WAIT)
    told.clear()
    yield Watching(engine, shelf, told)
    engine.close()


def test_answers_are_told_with_their_time_and_the_kept_ones_too(watching: Watching) -> None:
    """The second one comes from a cache, at once; both are what the engine says."""
    picture = photo(1)
    task = View(wanted(picture, "second"), picture)
    first = watching.engine.do(task, visitor="ann").result(WAIT)
    assert watching.engine.do(task, visitor="bob", urgent=False).result(WAIT) == first
    assert watching.outcomes() == [("View", "answered")] * 2
    made, kept = watching.told
    assert 0 <= kept.seconds < made.seconds < WAIT
    assert (made.urgent, kept.urgent) == (True, False)


def test_refusals_are_told_apart_from_bugs(watching: Watching) -> None:
    """A sentence of ours, before the queue and after it, and an error that nobody expected."""
    picture = photo(1)
    with pytest.raises(RequestError):
        watching.engine.do(View(wanted(photo(2)), picture), visitor="ann")
    with pytest.raises(UnknownLayerError):
        watching.engine.do(View(wanted(picture, "third"), picture), visitor="ann").result(WAIT)
    with pytest.raises(KeyError):
        watching.engine.do(Breaking(), visitor="ann").result(WAIT)
    assert watching.outcomes() == [("View", "refused"), ("View", "refused"), ("Breaking", "failed")]


def test_who_clicked_again_or_left_is_told_apart_too(watching: Watching) -> None:
    """While a pass stands still, one task is superseded and one is given up by who asked."""
    net, pictures = watching.shelf.net, [photo(number) for number in range(4)]
    net.started.clear()
    net.gate.clear()
    tasks = [View(wanted(each, "second"), each) for each in pictures]
    running = watching.engine.do(tasks[0], visitor="ann")
    assert net.started.wait(WAIT)
    older = watching.engine.do(tasks[1], visitor="bob")
    newer = watching.engine.do(tasks[2], visitor="bob")
    left = watching.engine.do(tasks[3], visitor="eve")
    assert left.cancel()
    net.gate.set()
    with pytest.raises(SupersededError):
        older.result(WAIT)
    with pytest.raises(CancelledError):
        left.result(WAIT)
    for each in (running, newer):
        each.result(WAIT)
    assert [each.outcome for each in watching.told] == ["superseded", "left", "answered", "answered"]


def test_an_engine_that_was_closed_refuses() -> None:
    """Closing reaches the engine behind."""
    told = list[TaskOutcome]()
    engine = WatchedEngine(LocalEngine(Shelf(), device="cpu"), told.append)
    engine.close()
    with pytest.raises(EngineClosedError):
        engine.do(Survey("counting", "random"), visitor="ann")
    assert [each.outcome for each in told] == ["refused"]
