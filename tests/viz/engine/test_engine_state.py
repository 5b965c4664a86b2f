"""An engine says how it does; one that does not say is an engine all the same."""

from tests.machine import patience
from tests.viz.subjects import Shelf, photo, wanted
from viz.engine.engine import LocalEngine
from viz.engine.engine_state import EngineState, state_of
from viz.views.one_layer import View
from viz.views.whole_model import Survey

WAIT = patience(120)


def test_an_engine_that_says_nothing_counts_as_idle() -> None:
    """A new kind of engine needs ``do`` and ``close`` only."""
    assert state_of(object()) == EngineState()


def test_what_waits_and_what_runs_is_told_apart() -> None:
    """One pass stands still in the middle; what two others want waits behind it."""
    shelf = Shelf()
    engine = LocalEngine(shelf, device="cpu")
    engine.do(Survey("counting", "random"), visitor="ann").result(WAIT)
    net = shelf.net
    net.started.clear()
    net.gate.clear()
    pictures = [photo(number) for number in range(3)]
    first, *others = [
        engine.do(View(wanted(each, "second"), each), visitor=f"bob {number}")
        for number, each in enumerate(pictures)
    ]
    assert net.started.wait(WAIT)
    state = state_of(engine)
    assert (state.running, state.waiting) == (1, len(others))
    net.gate.set()
    for future in (first, *others):
        future.result(WAIT)
    engine.close()
    assert (state_of(engine).running, state_of(engine).waiting) == (0, 0)


def test_its_caches_say_what_they_hold_and_how_often_they_helped() -> None:
    """The second question for the same view finds it; the first did not."""
    engine, picture = LocalEngine(Shelf(), device="cpu"), photo(1)
    before, after = [], []
    for kept in (before, after):
        view = engine.do(View(wanted(picture, "second"), picture), visitor="ann").result(WAIT)
        (process,) = state_of(engine).processes
        kept += [each for each in process.caches if each.cache == "answers"]
    assert 0 < before[0].bytes == after[0].bytes <= after[0].limit
    assert before[0].bytes >= len(view.png)
    assert (after[0].hits - before[0].hits, after[0].misses - before[0].misses) == (1, 0)
    engine.close()
