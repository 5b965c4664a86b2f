"""Long work gives way, whoever leaves costs nothing, and nobody takes more than a share; in every engine."""

import time
from pathlib import Path

import pytest

from tests.machine import patience
from tests.viz.conftest import Start
from tests.viz.engine.long_task import Long
from tests.viz.subjects import photo, wanted
from viz.engine.apart import Apart
from viz.engine.engine import Engine
from viz.engine.engine_protocol import Queue
from viz.engine.limits import Limits
from viz.engine.task import kind_of
from viz.errors import RateError
from viz.views.all_layers import Overview
from viz.views.one_layer import View

WAIT = patience(120)
SLICE = patience(0.5)  # seconds, many of which this thread does not stand still


@pytest.fixture
def engine(start: Start) -> Engine:
    """An engine that has loaded its net."""
    engine, _ = start(Limits())
    picture = photo(9)
    engine.do(View(wanted(picture, "first"), picture), visitor="first").result(WAIT)
    return engine


@pytest.fixture
def long(tmp_path: Path) -> Long:
    """Fifty seconds of work about that net."""
    return Long(str(tmp_path), 100, pause=SLICE)


def test_a_pick_of_the_same_model_waits_for_no_more_than_a_slice(engine: Engine, long: Long) -> None:
    """And a second one does not wait for what has been done in between either."""
    whole = engine.do(long, visitor="eve")
    long.wait_for(1)
    for seed in (1, 2):
        picture, before = photo(seed), long.done
        engine.do(View(wanted(picture, "last"), picture), visitor="ann").result(WAIT)
        assert long.done - before <= 3
    assert not whole.done()
    whole.cancel()


def test_long_work_comes_to_its_end(engine: Engine, tmp_path: Path) -> None:
    """With the answer that its last slice gives, which is kept."""
    task = Long(str(tmp_path), 4)
    assert engine.do(task, visitor="eve").result(WAIT) == "whole"
    assert engine.do(task, visitor="ann").result(WAIT) == "whole"
    assert task.done == 4


def test_what_is_made_in_slices_is_what_is_made_at_once(engine: Engine) -> None:
    """An overview while others look at the same net, against one that nobody interrupts."""
    picture = photo(3)
    overview = engine.do(Overview(wanted(picture, ""), picture), visitor="eve")
    for seed in range(4, 8):
        other = photo(seed)
        engine.do(View(wanted(other, "last"), other), visitor="ann").result(WAIT)
    thumbs = {thumb.layer: thumb for thumb in overview.result(WAIT)}
    view = engine.do(View(wanted(picture, "second"), picture), visitor="ann").result(WAIT)
    assert thumbs["second"].map.mean() == pytest.approx(view.statistics.mean, rel=1e-5)


def test_work_stops_between_two_slices_once_its_visitor_has_left(engine: Engine, tmp_path: Path) -> None:
    """And nothing of it is done any more."""
    long = Long(str(tmp_path), 100)
    whole = engine.do(long, visitor="eve")
    long.wait_for(1)
    assert whole.cancel()
    before, done = -1, long.done
    while done != before:
        time.sleep(6 * long.pause)
        before, done = done, long.done
    assert done < long.slices / 2


def test_who_stays_gets_what_another_has_left(engine: Engine, tmp_path: Path) -> None:
    """Each asker has a future of their own."""
    task = Long(str(tmp_path), 6)
    left, stayed = (engine.do(task, visitor=visitor) for visitor in ("eve", "ann"))
    task.wait_for(1)
    left.cancel()
    assert stayed.result(WAIT) == "whole"
    assert task.done == 6


def test_who_has_left_can_come_back(engine: Engine, tmp_path: Path) -> None:
    """The same question is asked anew, and answered."""
    task = Long(str(tmp_path), 3)
    engine.do(task, visitor="eve").cancel()
    assert engine.do(task, visitor="eve").result(WAIT) == "whole"


def test_whoever_waits_is_told_how_many_go_before(engine: Engine, tmp_path: Path) -> None:
    """Those who look at something go before those who fetch ahead, whenever they have come."""
    if not isinstance(engine, Queue):
        pytest.skip("this engine has a queue for each replica, and counts in none")
    tasks = {name: Long(str(tmp_path), 40, name) for name in ("eve", "ann", "bob")}
    futures = [engine.do(task, visitor=name, urgent=name != "eve") for name, task in tasks.items()]
    assert [engine.ahead(name) for name in ("ann", "bob", "eve", "nobody")] == [0, 1, 2, None]
    for future in futures:
        future.cancel()
    assert engine.ahead("bob") is None


def test_who_has_taken_too_much_comes_back_later_if_others_wait(engine: Engine, tmp_path: Path) -> None:
    """Only for what takes long, and only while somebody else waits."""
    if not hasattr(engine, "_purses"):
        pytest.skip("this engine does not count what visitors have used")
    names = ("first", "second", "other")
    first, second, other = (Long(str(tmp_path), 20, name, pause=SLICE) for name in names)
    engine._purses.took(kind_of(second), 9.0)
    engine._purses.spend(["greedy"], 1000.0)
    alone = engine.do(first, visitor="greedy")
    waiting = engine.do(other, visitor="ann")
    with pytest.raises(RateError, match=r"others are waiting: ask for this again in 1[0-9] seconds"):
        engine.do(second, visitor="greedy").result(WAIT)
    picture = photo(1)
    assert engine.do(View(wanted(picture, "last"), picture), visitor="greedy").result(WAIT)
    for future in (alone, waiting):
        future.cancel()


def test_what_needs_no_model_is_done_apart(engine: Engine, long: Long) -> None:
    """A file is packed while the models are busy; what its function raises, whoever waits gets."""
    busy = engine.do(long, visitor="eve")
    long.wait_for(1)
    assert engine.do(Apart(sorted_numbers), visitor="ann").result(WAIT) == [1, 2, 3]
    with pytest.raises(ZeroDivisionError):
        engine.do(Apart(odd), visitor="ann").result(WAIT)
    assert not busy.done()
    busy.cancel()


def sorted_numbers() -> list[int]:
    """Some work that every process can find by its name."""
    return sorted([3, 1, 2])


def odd() -> float:
    """Work that fails."""
    return 1 / 0
