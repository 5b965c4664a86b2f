"""Optimised pictures through an engine: a slice at a time, shared by all who ask, stopped by not asking."""

from dataclasses import replace

import numpy as np
import pytest

from tests.viz.subjects import Shelf, photo, wanted
from viz.engine.engine import Engine, LocalEngine
from viz.engine.limits import Limits
from viz.errors import RequestError, TooLargeError
from viz.request.optimised import OptimisationSettings, Wish
from viz.views.optimised.optimise import OptimisationProgress, Optimise

PICTURE = photo(2)
TASK = Optimise(wanted(PICTURE, "second"), PICTURE, Wish("second", channel=1), OptimisationSettings(steps=6))


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice is one step."""
    monkeypatch.setattr("viz.views.work.optimised.SECONDS", 0.0)


def asked(engine: Engine, task: Optimise) -> list[OptimisationProgress]:
    """Every answer until the pictures are finished."""
    found: list[OptimisationProgress] = []
    while not found or not found[-1].finished:
        found.append(engine.do(task, visitor="v").result())
    return found


def test_pictures_come_through_any_engine(engine: Engine) -> None:
    """As large as the model's input, with what they and the visitor's picture do to the channel."""
    last = asked(engine, TASK)[-1]
    assert (last.pictures.shape, last.pictures.dtype) == ((1, 8, 8, 3), np.uint8)
    assert (last.done, last.total, last.stuck) == (6, 6, False)
    assert last.peaks.shape == (1, 3)
    assert np.isfinite([*last.reached, last.own]).all()
    again = engine.do(TASK, visitor="w").result()
    np.testing.assert_array_equal(again.pictures, last.pictures)
    assert again.bytes == last.pictures.nbytes + last.peaks.nbytes


@pytest.mark.usefixtures("no_time")
def test_each_question_goes_on_by_a_slice(local_engine: LocalEngine, local_shelf: Shelf) -> None:
    """Nothing runs that nobody asks for, and who comes later finds what is there."""
    assert local_engine.do(TASK, visitor="v").result().done == 1
    before = local_shelf.net.passes
    assert local_engine.do(TASK, visitor="w").result().done == 2
    assert local_shelf.net.passes - before <= 4
    assert TASK.behind
    rest = asked(local_engine, TASK)
    assert [each.done for each in rest] == [3, 4, 5, 6]


@pytest.mark.usefixtures("no_time")
def test_what_no_cache_can_hold_is_done_at_once(local_shelf: Shelf) -> None:
    """Otherwise each slice would begin anew, for ever."""
    engine = LocalEngine(local_shelf, device="cpu", limits=Limits(kept=1000))
    assert engine.do(TASK, visitor="v").result().done == 6
    engine.close()


def test_only_what_begins_with_the_picture_depends_on_it() -> None:
    """Another visitor's picture has the same optimised one, unless it is the beginning."""
    other = replace(TASK, wanted=wanted(photo(3), "second"), photo=photo(3))
    assert (TASK.study_key == other.study_key, TASK.key == other.key) == (True, False)
    near = [replace(task, making=OptimisationSettings(from_photo=True)) for task in (TASK, other)]
    assert near[0].study_key != near[1].study_key


def test_too_much_is_refused(local_shelf: Shelf) -> None:
    """In steps, and in memory."""
    engine = LocalEngine(local_shelf, device="cpu", limits=Limits(capture=10))
    with pytest.raises(TooLargeError):
        engine.do(TASK, visitor="v").result()
    with pytest.raises(RequestError):
        engine.do(replace(TASK, making=OptimisationSettings(steps=0)), visitor="v").result()
    engine.close()
