"""Replicas answer as an engine in this process does, and one that ends costs nobody an answer."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from torch import Tensor

from tests.machine import patience

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from tests.hostile.attacks import children
from tests.hostile.left_behind import alive
from tests.viz.random_tasks import asking, bits, outcome, random_task
from tests.viz.subjects import Counting, by_hand, photo, wanted
from viz.engine.engine import LocalEngine
from viz.engine.engine_state import state_of
from viz.engine.process import Patience
from viz.engine.ray import Cluster, RayEngine, object_store
from viz.engine.task import Bench, Question
from viz.errors import CallError, CaptureError, EngineClosedError, RequestError, VizError
from viz.pictures.own_donors import own_name, own_picture, shelved
from viz.pictures.photo import cropped, photograph
from viz.request.edit_request import edits_from
from viz.ui.visit import loaders
from viz.views.one_layer import Values, View
from viz.views.whole_model import Survey

pytestmark = [pytest.mark.usefixtures("ray_cluster"), pytest.mark.slow, pytest.mark.ray]

WAIT = patience(120)
ANSWERING = float(round(patience(3)))  # seconds that a task may run
LOADER = "tests.viz.engine.process.hazards:loader"


def weights_held(name: str) -> Mapping[str, Tensor]:
    """The weights of a counting net, all of them doubled, or a refusal."""
    if name != "doubled":
        raise RequestError("nobody holds these weights.")
    return {key: 2 * value for key, value in Counting().state_dict().items()}


@contextmanager
def begun(replicas: int, patience: Patience | None = None) -> Iterator[RayEngine]:
    """An engine whose replicas have all imported what they need."""
    holds = {"weights": weights_held, "picture": own_picture}
    cluster = Cluster(least=replicas, most=replicas)
    engine = RayEngine(LOADER, device="cpu", cluster=cluster, patience=patience, holds=holds)
    try:
        yield engine
    finally:
        engine.close()


@pytest.fixture(scope="module")
def two(request: pytest.FixtureRequest) -> Iterator[RayEngine]:
    """An engine with two replicas, each of whose tasks may run for few seconds."""
    request.getfixturevalue("ray_cluster")
    with begun(2, Patience(answering=ANSWERING)) as engine:
        yield engine


@dataclass(frozen=True)
class Where(Question):
    """Question for the process that answers for a model."""

    model: str
    weights: str = "random"
    number: int = 0
    shelf = ""

    @property
    def key(self) -> Any:
        """Another one for each number."""
        return "where", self.model, self.weights, self.number

    def work(self, _: Bench) -> int:
        """See ``Task``."""
        return os.getpid()


def where(engine: RayEngine, model: str) -> int:
    """The process that answers for a model now."""
    number = random.randrange(1 << 30)
    return engine.do(Where(model, number=number), visitor=f"where {number}").result(WAIT)


def right(found: Any, seed: int, layer: str = "first") -> bool:
    """Return whether these are a layer's values for the picture with this seed."""
    return bool(np.allclose(found.call(0)["output"].array, by_hand(photo(seed))[layer][0], 1e-4, 1e-6))


def test_answers_are_those_of_the_engine_in_this_process_bit_for_bit() -> None:
    """Views, values, edits, gradients, numbers and refusals of nets that come along."""
    models = ("lenet", "photonet")
    here = LocalEngine(loaders.subject_loader(lambda _: {}), device="cpu")
    place = f"{loaders.__name__}:{loaders.loader_apart.__name__}"
    there = RayEngine(place, device="cpu", cluster=Cluster())
    chance, about = random.Random(5), asking(here, models)
    asking(there, models)
    for _ in range(60):
        task = random_task(chance, about)
        found, expected = (outcome(each.do(task, visitor="ann")) for each in (there, here))
        assert bits(found) == bits(expected), task
    here.close()
    there.close()


def test_each_model_has_a_replica_and_both_have_some(two: RayEngine) -> None:
    """So that no model is loaded twice while nobody has to wait."""
    for _ in range(3):
        places = {model: where(two, model) for model in "abcdefgh"}
        assert len(set(places.values())) == 2
        assert places == {model: where(two, model) for model in "abcdefgh"}


def test_a_picture_is_put_into_the_object_store_once(two: RayEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tasks are about it, or about parts of it; what falls out is put again."""
    put, put_in = list[int](), object_store.ray.put
    monkeypatch.setattr(object_store.ray, "put", lambda value: (put.append(len(value)), put_in(value))[1])
    large = photograph(Image.effect_noise((900, 700), 80).convert("RGB"))
    part = cropped(large, "10,20,300,200")
    for each in (large, part, large, part):
        for layer in ("first", "relu", "second"):
            assert two.do(View(wanted(each, layer), each), visitor="ann").result(WAIT).png
    assert [size > 900 * 700 * 3 for size in put] == [True, False]
    monkeypatch.setattr(two._store, "_most", 1)
    for seed in (1, 2, 1, 2):
        task = Values(wanted(photo(seed), "last"), photo(seed))
        assert two.do(task, visitor="ann").result(WAIT).call(0)
    assert len(put) == 6
    assert len(two._store._stored) == 1


def test_a_replica_asks_for_what_only_the_page_has(two: RayEngine) -> None:
    """A visitor's own weights, and another picture whose values an edit takes; or it hears a refusal."""
    picture, other = photo(1), shelved(photo(2))
    task = Values(replace(wanted(picture, "first", "asked"), weights="doubled"), picture)
    found = two.do(task, visitor="ann").result(WAIT).call(0)["output"].array
    np.testing.assert_allclose(found, 2 * by_hand(picture)["first"][0], rtol=1e-4, atol=1e-5)
    with pytest.raises(RequestError, match="nobody holds"):
        two.do(replace(task, wanted=replace(task.wanted, weights="gone")), visitor="ann").result(WAIT)
    edits = edits_from(f"first:swap:0:{own_name(other)}")
    task = Values(wanted(picture, "first", edits=edits), picture)
    swapped = two.do(task, visitor="ann").result(WAIT).call(0)["output"].array
    np.testing.assert_allclose(swapped[:, 0], by_hand(other)["first"][0][:, 0], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(("model", "error"), [("fails", CaptureError), ("absent", FileNotFoundError)])
def test_an_error_of_a_model_reaches_who_asked(two: RayEngine, model: str, error: type[Exception]) -> None:
    """One of Python's as it is; one that only the model's module knows by its name, and no more of it."""
    with pytest.raises(error) as caught:
        two.do(View(wanted(photo(1), "layer", model), photo(1)), visitor="eve").result(WAIT)
    assert "secret" not in str(caught.value)
    assert isinstance(caught.value, VizError) == (model == "fails")
    with pytest.raises(CallError, match="there is no call 3"):
        two.do(View(wanted(photo(1), "last", call=2), photo(1)), visitor="ann").result(WAIT)


@dataclass(frozen=True)
class Unsendable(Survey):
    """A task whose answer cannot be sent, or that cannot be sent itself."""

    lock: Any = None
    shelf = ""

    def work(self, _: Bench) -> Any:
        """A value that lives in its process only."""
        return sys.stdout


def test_what_cannot_be_sent_fails_and_the_next_is_answered(two: RayEngine) -> None:
    """Task or answer: whoever asked does not wait for ever."""
    for lock in (None, sys.stdout):
        with pytest.raises((TypeError, CaptureError)):
            two.do(Unsendable("counting", "random", lock), visitor="eve").result(WAIT)
    assert right(two.do(Values(wanted(photo(2)), photo(2)), visitor="ann").result(WAIT), 2)


def test_a_replica_killed_under_load_costs_nobody_an_answer(two: RayEngine) -> None:
    """The tasks that it had are asked again, and every picture's numbers are its own."""
    models = ("a", "b", "c", "d")
    places = {model: where(two, model) for model in models}
    futures = [
        (seed, two.do(Values(wanted(photo(seed), model=models[seed % 4]), photo(seed)), visitor=f"v{seed}"))
        for seed in range(60)
    ]
    assert 0 < state_of(two).running <= len(futures)
    os.kill(places["a"], signal.SIGKILL)
    assert all(right(future.result(WAIT), seed) for seed, future in futures)
    stayed = {model for model in models if places[model] != places["a"]}
    assert all(where(two, model) == places[model] for model in stayed)


@pytest.mark.parametrize("hazard", ["loops", "crashes"])
def test_one_request_fails_in_a_sentence_and_the_others_are_answered(two: RayEngine, hazard: str) -> None:
    """A task that runs for too long, and one that crashes two replicas."""
    two.do(Survey(hazard, "random"), visitor="eve").result(WAIT)
    guilty = two.do(View(wanted(photo(1), "layer", hazard), photo(1)), visitor="eve")
    behind = [two.do(Values(wanted(photo(n), "relu"), photo(n)), visitor=f"bob {n}") for n in range(70, 80)]
    with pytest.raises(CaptureError, match=rf"longer than the {ANSWERING:.0f} seconds|ended by itself"):
        guilty.result(WAIT)
    for number, future in enumerate(behind):
        assert right(future.result(WAIT), 70 + number, "relu")


def test_a_model_that_does_it_twice_is_put_aside_with_its_reason(two: RayEngine) -> None:
    """It is refused at once; other models are not."""
    for layer in range(2):
        task = View(wanted(photo(layer), "layer", "loops twice"), photo(layer))
        with pytest.raises(CaptureError, match=f"longer than the {ANSWERING:.0f} seconds"):
            two.do(task, visitor="eve").result(WAIT)
    assert f"longer than the {ANSWERING:.0f} seconds" in state_of(two).put_aside["loops twice"]
    with pytest.raises(CaptureError, match="loops twice has been put aside"):
        two.do(Survey("loops twice", "random"), visitor="bob").result(WAIT)
    assert right(two.do(Values(wanted(photo(3)), photo(3)), visitor="ann").result(WAIT), 3)


def test_closing_tells_whoever_waits() -> None:
    """And nobody can ask any more; the cluster stays for those who began it."""
    with begun(1) as engine:
        engine.do(Survey("loops", "random"), visitor="eve").result(WAIT)
        waits = engine.do(View(wanted(photo(1), "layer", "loops"), photo(1)), visitor="eve")
        place = engine._deployed.result().name
    with pytest.raises(EngineClosedError):
        waits.result(WAIT)
    with pytest.raises(EngineClosedError):
        engine.do(Survey("counting", "random"), visitor="ann")
    assert place not in object_store.ray.serve.status().applications


ALONE = """
from tests.machine import patience
from viz.engine.pulse import Pulse
from viz.engine.ray import Cluster, RayEngine
if __name__ == "__main__":
    engine = RayEngine("tests.viz.engine.process.hazards:loader", device="cpu", cluster=Cluster(cpus=1))
    assert engine.do(Pulse("counting", "random"), visitor="ann").result(patience(60))
    print("answered", flush=True)
    input()
    {end}
"""


@pytest.mark.parametrize(
    ("end", "seconds"),
    [("engine.close()", 20), ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 90)],
)
def test_a_cluster_of_its_own_ends_with_the_process(end: str, seconds: float) -> None:
    """Closed or killed: no process is left behind.

    Two of Ray's processes, which tell its head that the others died, try for a minute: it was killed as well.
    """
    begun = subprocess.Popen(
        [sys.executable, "-c", ALONE.replace("{end}", end)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[4],
    )
    assert begun.stdout is not None
    assert "answered\n" in iter(begun.stdout.readline, "")
    below = list(children(begun.pid))
    assert len(below) > 5
    begun.communicate("\n", timeout=patience(60))
    until = time.monotonic() + patience(seconds)
    while (left := [each for each in below if alive(each)]) and time.monotonic() < until:
        time.sleep(0.2)
    assert left == []
