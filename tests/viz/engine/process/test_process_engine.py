"""A model that hangs, crashes or grows costs one request; everybody else goes on."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch import Tensor

from tests.machine import patience
from tests.viz.engine.process.hazards import Going, Whose
from tests.viz.subjects import Counting, Shelf, by_hand, photo, wanted
from viz.engine.engine import LocalEngine
from viz.engine.process import Patience, ProcessEngine
from viz.engine.process.placing import RESTS
from viz.errors import CallError, CaptureError, EngineClosedError, RequestError, TooLargeError, VizError
from viz.pictures.own_donors import own_name, own_picture, shelved
from viz.request.edit_request import edits_from
from viz.views.one_layer import Values, View
from viz.views.whole_model import Predict, Survey

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery"),
    pytest.mark.slow,  # each engine imports PyTorch once more
]

WAIT = patience(120)
SOON = 5.0  # seconds in which everybody else goes on, on a quiet machine
ANSWERING = float(round(patience(3)))  # seconds that a task may run
LOADER = "tests.viz.engine.process.hazards:loader"
MODULES = ("viz.views.one_layer", "viz.views.whole_model")


def weights_held(name: str) -> Mapping[str, Tensor]:
    """The weights of a counting net, all of them doubled, or a refusal."""
    if name != "doubled":
        raise RequestError("nobody holds these weights.")
    return {key: 2 * value for key, value in Counting().state_dict().items()}


def begun(patience: Patience, hosts: int = 1) -> ProcessEngine:
    """An engine that has answered once."""
    holds = {"weights": weights_held, "picture": own_picture}
    engine = ProcessEngine(LOADER, device="cpu", hosts=hosts, patience=patience, modules=MODULES, holds=holds)
    engine.do(Survey("counting", "random"), visitor="warm-up").result(WAIT)
    return engine


@pytest.fixture(scope="module")
def engine() -> Iterator[ProcessEngine]:
    """The engine that the tests of this file wear out together; each has models of its own."""
    engine = begun(Patience(answering=ANSWERING))
    yield engine
    engine.close()


def view(
    engine: ProcessEngine | LocalEngine, seed: int, layer: str = "second", model: str = "counting"
) -> View:
    """Return a visitor's view of a layer."""
    picture = photo(seed)
    return engine.do(View(wanted(picture, layer, model), picture), visitor=f"ann {seed}").result(WAIT)  # type: ignore[return-value]


def test_answers_are_those_of_the_engine_in_this_process(engine: ProcessEngine) -> None:
    """Views, values, surveys, predictions and refusals, bit for bit."""
    here, picture = LocalEngine(Shelf(), device="cpu"), photo(3)
    for task in (
        View(wanted(picture, "second"), picture),
        Values(wanted(picture, "last"), picture),
        Survey("counting", "random"),
        Predict(picture, "counting", "random"),
    ):
        found, expected = (each.do(task, visitor="ann").result(WAIT) for each in (engine, here))
        if isinstance(task, Values):
            for call in (0, 1):
                arrays = [each.call(call)["output"].array for each in (found, expected)]
                assert np.array_equal(*arrays)
                np.testing.assert_allclose(arrays[0], by_hand(picture)["last"][call], rtol=1e-5)
        else:
            assert found == expected
    with pytest.raises(CallError, match="there is no call 3"):
        engine.do(View(wanted(picture, "last", call=2), picture), visitor="ann").result(WAIT)
    with pytest.raises(RequestError, match="different picture"):
        engine.do(View(wanted(photo(4)), picture), visitor="ann").result(WAIT)
    here.close()


HAZARDS = {
    "loops": f"longer than the {ANSWERING:.0f} seconds",
    "hangs": f"longer than the {ANSWERING:.0f} seconds",
    "crashes": r"crashed \(SIGSEGV\)",
    "exits": "ended by itself",
}


@pytest.mark.parametrize("hazard", HAZARDS)
def test_one_request_fails_in_a_sentence_and_the_others_are_answered(
    engine: ProcessEngine, hazard: str
) -> None:
    """Those that waited behind it and those that come after it, within seconds, with the right numbers."""
    picture = photo(1)
    engine.do(Survey(hazard, "random"), visitor="eve").result(WAIT)
    guilty = engine.do(View(wanted(picture, "layer", hazard), picture), visitor="eve")
    behind = [engine.do(Values(wanted(photo(n)), photo(n)), visitor=f"bob {n}") for n in range(3)]
    with pytest.raises(CaptureError, match=HAZARDS[hazard]):
        guilty.result(WAIT)
    failed = time.monotonic()
    for number, future in enumerate(behind):
        found = future.result(WAIT).call(0)["output"].array
        np.testing.assert_allclose(found, by_hand(photo(number))["first"][0], rtol=1e-4, atol=1e-6)
    assert time.monotonic() - failed < patience(SOON)
    assert view(engine, 7).shape == (1, 3, 4, 4)


def test_a_process_that_takes_too_much_memory_is_replaced() -> None:
    """The sentence says how much it was, and how much it may be."""
    engine, picture = begun(Patience(memory=900 << 20)), photo(1)
    with pytest.raises(TooLargeError, match="more than the 944 MB"):
        engine.do(View(wanted(picture, "layer", "grows"), picture), visitor="eve").result(WAIT)
    assert view(engine, 2).png
    engine.close()


def test_a_process_that_somebody_kills_is_replaced_and_asked_again(engine: ProcessEngine) -> None:
    """Visitors who were not being answered just then notice nothing."""
    expected, (first,) = view(engine, 3), engine.processes()
    os.kill(first, signal.SIGKILL)
    assert view(engine, 3) == expected
    assert engine.processes() not in ([], [first])


def test_a_model_that_does_it_twice_is_put_aside_with_its_reason(engine: ProcessEngine) -> None:
    """It is refused at once; other models are not."""
    picture = photo(1)
    for _ in range(2):
        with pytest.raises(CaptureError, match="crashed"):
            engine.do(View(wanted(picture, "layer", "crashes twice"), picture), visitor="eve").result(WAIT)
    with pytest.raises(CaptureError, match=r"crashes twice has been put aside.*2 times.*SIGSEGV"):
        engine.do(View(wanted(picture, "layer", "crashes twice"), picture), visitor="bob").result(WAIT)
    assert view(engine, 5).png


def test_loading_a_model_may_take_longer_than_answering(engine: ProcessEngine) -> None:
    """A download or a large model is no hang."""
    assert view(engine, 1, model=f"slow {ANSWERING + 1}").png


@pytest.mark.parametrize(("model", "error"), [("fails", CaptureError), ("absent", FileNotFoundError)])
def test_an_error_of_a_model_reaches_who_asked(
    engine: ProcessEngine, model: str, error: type[Exception]
) -> None:
    """One of Python's as it is; one that only the model's module knows by its name, and no more of it."""
    picture = photo(1)
    for _ in range(3):
        with pytest.raises(error) as caught:
            engine.do(View(wanted(picture, "layer", model), picture), visitor="eve").result(WAIT)
        assert "secret" not in str(caught.value)
        assert isinstance(caught.value, VizError) == (model == "fails")
    assert view(engine, 2).png


@pytest.fixture(scope="module")
def three() -> Iterator[ProcessEngine]:
    """An engine with three processes."""
    engine = begun(Patience(answering=ANSWERING), hosts=3)
    yield engine
    engine.close()


def test_each_model_has_a_process_until_there_are_enough(three: ProcessEngine) -> None:
    """Then they share, and each stays where it is; the numbers are the same in all of them."""
    pictures = [photo(seed) for seed in range(3)]
    for picture in pictures:
        expected = by_hand(picture)["second"][0]
        for model in ("counting", "a", "b", "c", "d"):
            task = Values(wanted(picture, "second", model), picture)
            found = three.do(task, visitor="ann").result(WAIT).call(0)["output"].array
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
    assert len(set(three.processes())) == 3


def test_while_a_model_is_loaded_the_others_are_answered(three: ProcessEngine, tmp_path: Path) -> None:
    """Loading ends once ten pictures have been seen."""
    loading = three.do(Survey(f"held {tmp_path / 'seen'}", "random"), visitor="eve")
    for seed in range(20, 30):
        assert view(three, seed).png
    assert not loading.done()
    (tmp_path / "seen").touch()
    assert loading.result(WAIT)


def test_one_process_that_hangs_leaves_the_others_as_they_are(three: ProcessEngine) -> None:
    """Nobody else waits for its end."""
    picture = photo(1)
    for model in ("counting", "a", "hangs"):  # each has a process of its own, until there are three
        three.do(Survey(model, "random"), visitor="eve").result(WAIT)
    before = three.processes()
    guilty = three.do(View(wanted(picture, "layer", "hangs"), picture), visitor="eve")
    for seed in range(30, 40):
        assert view(three, seed).png
    assert not guilty.done()
    with pytest.raises(CaptureError, match=HAZARDS["hangs"]):
        guilty.result(WAIT)
    until = time.monotonic() + patience(SOON)
    while len(three.processes()) < 3 and time.monotonic() < until:
        time.sleep(0.05)
    assert len(set(before) & set(three.processes())) == 2


@dataclass(frozen=True)
class Unsendable(Survey):
    """A task that no other process can have."""

    lock: Any = field(default_factory=threading.Lock)


def test_a_task_that_cannot_be_sent_fails_and_the_next_is_answered(engine: ProcessEngine) -> None:
    """The visitor who asked it does not wait for ever, and the thread that sends goes on."""
    with pytest.raises(TypeError, match="pickle"):
        engine.do(Unsendable("counting", "random"), visitor="eve").result(WAIT)
    assert view(engine, 2).png


def test_a_host_asks_for_what_only_the_page_has(engine: ProcessEngine) -> None:
    """A visitor's own weights, and another picture whose values an edit takes."""
    picture, other = photo(1), shelved(photo(2))
    task = Values(replace(wanted(picture, "first", "asked"), weights="doubled"), picture)
    found = engine.do(task, visitor="ann").result(WAIT).call(0)["output"].array
    np.testing.assert_allclose(found, 2 * by_hand(picture)["first"][0], rtol=1e-4, atol=1e-5)
    with pytest.raises(RequestError, match="nobody holds"):
        engine.do(replace(task, wanted=replace(task.wanted, weights="gone")), visitor="ann").result(WAIT)
    edits = edits_from(f"first:swap:0:{own_name(other)}")
    task = Values(wanted(picture, "first", edits=edits), picture)
    swapped = engine.do(task, visitor="ann").result(WAIT).call(0)["output"].array
    np.testing.assert_allclose(swapped[:, 0], by_hand(other)["first"][0][:, 0], rtol=1e-4, atol=1e-6)
    assert not np.allclose(swapped[:, 0], by_hand(picture)["first"][0][:, 0])


def test_a_process_without_a_model_ends_once_nobody_asks_it_and_another_one_answers_then() -> None:
    """The imports of a process take 100 MB and more; a process with a model stays."""
    engine = begun(Patience(), hosts=2)
    try:
        first = engine.do(Whose(1), visitor="ann").result(WAIT)
        assert first in engine.processes()
        _rest(engine)
        _wait_for(lambda: not Path(f"/proc/{first}").exists())
        assert first not in engine.processes()
        assert len(engine.processes()) == 1
        assert view(engine, 1).png
        assert engine.do(Whose(2), visitor="ann").result(WAIT) in set(engine.processes()) - {first}
        assert engine.state().restarts == 0
    finally:
        engine.close()


def test_a_process_stays_while_work_goes_on_there_that_nobody_asks_about(tmp_path: Path) -> None:
    """Such as a download whose visitor has left; it ends once that work has."""
    engine, goes_on = begun(Patience(), hosts=2), tmp_path / "goes_on"
    goes_on.touch()
    asked = tmp_path / "goes_on.asked"
    try:
        assert engine.do(Going(str(goes_on)), visitor="ann").result(WAIT)
        host = asked.read_text().split()[0]
        for questions in (2, 3):
            _rest(engine)
            _wait_for(lambda wanted=questions: len(asked.read_text().split()) >= wanted)  # type: ignore[misc]
            _wait_for(lambda: not any(station.asked for station in engine._placing.stations))
        assert set(asked.read_text().split()) == {host}
        goes_on.unlink()
        _rest(engine)
        _wait_for(lambda: len(asked.read_text().split()) == 4)
        _wait_for(lambda: not any(station.asked for station in engine._placing.stations))
        assert Path(f"/proc/{host}").exists()
        _rest(engine)
        _wait_for(lambda: not Path(f"/proc/{host}").exists())
        assert engine.state().restarts == 0
    finally:
        engine.close()


def _rest(engine: ProcessEngine) -> None:
    """Let the last questions be so long ago that a process without work ends."""
    for station in engine._placing.stations:
        station.used -= RESTS + 1


def _wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    assert holds()


def test_closing_ends_every_process_whatever_it_does() -> None:
    """Also one that hangs in C; whoever still waits is told."""
    engine, picture = begun(Patience()), photo(1)
    engine.do(Survey("hangs", "random"), visitor="eve").result(WAIT)
    waits = engine.do(View(wanted(picture, "layer", "hangs"), picture), visitor="eve")
    time.sleep(0.5)
    (host,), nursery = engine.processes(), engine._hosts._nursery
    assert nursery is not None
    begin = time.monotonic()
    engine.close()
    assert time.monotonic() - begin < patience(SOON)
    with pytest.raises(EngineClosedError):
        waits.result(WAIT)
    for number in (host, nursery.pid):
        assert not Path(f"/proc/{number}").exists()
    with pytest.raises(EngineClosedError):
        engine.do(Survey("counting", "random"), visitor="ann")
