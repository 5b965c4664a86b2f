"""An engine in other processes says how they do, also while one of them hangs."""

import os
import time

import pytest

from tests.machine import patience
from tests.viz.engine.process.test_process_engine import WAIT, begun, photo, view, wanted
from viz.engine.engine_state import state_of
from viz.engine.process import Patience
from viz.errors import CaptureError, EngineClosedError
from viz.views.one_layer import View

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery"),
    pytest.mark.slow,  # the engine imports PyTorch once more
]


def test_it_counts_what_waits_what_is_kept_and_what_went_wrong() -> None:
    """A process that answers, one that hangs and is replaced, and the model that did it twice."""
    engine, picture = begun(Patience(answering=patience(5.0), memory=6 << 30)), photo(1)
    view(engine, 1)
    view(engine, 1)
    state = state_of(engine)
    (process,) = state.processes
    caches = {each.cache: each for each in process.caches}
    assert (process.name, state.memory_limit, state.restarts) == ("models-1", 6 << 30, 0)
    assert 20_000_000 < process.memory < 4_000_000_000
    assert caches["answers"].hits >= 1
    assert caches["models"].bytes > 0

    hanging = engine.do(View(wanted(picture, "layer", "hangs"), picture), visitor="eve")
    behind = engine.do(View(wanted(photo(5)), photo(5)), visitor="bob")
    until = time.monotonic() + WAIT
    while (state := state_of(engine)).running == 0 and time.monotonic() < until:
        time.sleep(0.02)
    assert (state.running, state.waiting) == (1, 1)
    asked = time.monotonic()
    assert state_of(engine).running == 1
    assert time.monotonic() - asked < patience(1.0)
    assert not hanging.done()  # a process that holds its interpreter does not hold up this
    with pytest.raises(CaptureError):
        hanging.result(WAIT)
    behind.result(WAIT)
    assert state_of(engine).restarts == 1
    assert state_of(engine).put_aside == {}

    with pytest.raises(CaptureError):
        engine.do(View(wanted(picture, "layer", "hangs"), picture), visitor="eve").result(WAIT)
    view(engine, 6)
    state = state_of(engine)
    assert state.restarts == 2
    assert list(state.put_aside) == ["hangs"]
    assert "put aside" in state.put_aside["hangs"]
    engine.close()


def test_an_engine_that_is_closed_twice_refuses_each_task_once() -> None:
    """The server's end closes it, and once more if that takes long."""
    engine = begun(Patience())
    hanging = engine.do(View(wanted(photo(1), "layer", "hangs"), photo(1)), visitor="eve")
    waiting = engine.do(View(wanted(photo(2)), photo(2)), visitor="bob")
    engine.close()
    engine.close()
    for future in (hanging, waiting):
        with pytest.raises(EngineClosedError):
            future.result(WAIT)
