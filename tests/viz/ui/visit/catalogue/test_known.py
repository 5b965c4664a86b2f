"""Facts of the catalogue for the page are what the catalogue says, whichever process has it."""

import asyncio
import os
import pickle
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import models
from models.own.factory.function import FunctionPreparation
from models.preprocessing import Preprocessing
from tests.machine import patience
from tests.models.uploads import saved, state
from tests.viz.engine.long_task import Long
from tests.viz.subjects import Shelf
from viz.engine import worker
from viz.engine.engine import Engine, LocalEngine
from viz.engine.process import ProcessEngine
from viz.errors import RequestError
from viz.pictures.photo import Photo
from viz.ui.visit import loaders
from viz.ui.visit.catalogue import known
from viz.ui.visit.catalogue.tasks import Card, Fetch
from viz.ui.visit.own_weights import find_weights, own_weights
from viz.views.whole_model import Predict

HERE, THERE = "in this process", "in another process"
KINDS = [
    HERE,
    pytest.param(THERE, marks=pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are forked")),
]


def parts_of(weights: str) -> loaders.Parts:
    """As the page's service finds them."""
    return find_weights(weights).parts


@pytest.fixture(scope="module")
def engines() -> Iterator[dict[str, Engine]]:
    """One engine of each kind."""
    place = f"{loaders.__name__}:{loaders.loader_apart.__name__}"
    holds = {loaders.WEIGHTS: parts_of}
    here = LocalEngine(loaders.subject_loader(parts_of), device="cpu")
    there = ProcessEngine(place, device="cpu", holds=holds)
    yield {HERE: here, THERE: there}
    here.close()
    there.close()


@pytest.fixture(params=KINDS)
def engine(
    request: pytest.FixtureRequest, engines: dict[str, Engine], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    """The engine that the page asks, which it has asked nothing yet."""
    monkeypatch.setattr(known, "engine", lambda: engines[request.param])
    known.forget()
    yield engines[request.param]
    known.forget()


@pytest.mark.parametrize("name", ["lenet", "signalnet", "efficientnet_lite0", "resnet18", "raft_small"])
@pytest.mark.usefixtures("engine")
def test_a_card_says_what_the_catalogue_says(name: str) -> None:
    """All of it, also how a picture is prepared; it is asked once."""
    assert known.describe(name) == models.describe(name)
    assert known.describe(name) is known.describe(name)


@pytest.mark.usefixtures("engine")
def test_a_card_of_timm_too() -> None:
    """It is compared only where timm is installed."""
    for name in models.names("timm")[:1]:
        assert known.describe(name) == models.describe(name)


@pytest.mark.usefixtures("engine")
def test_models_with_the_same_classes_share_their_names() -> None:
    """Hundreds of models name ImageNet's thousand."""
    assert known.describe("resnet18").classes is known.describe("resnet34").classes


@pytest.mark.usefixtures("engine")
def test_every_model_is_named_with_what_it_needs() -> None:
    """In the order of the catalogue."""
    assert known.needs() == models.needs()
    assert known.names() == models.names()
    assert known.is_ready("lenet")


@pytest.mark.usefixtures("engine")
def test_an_error_of_the_catalogue_is_the_same_here() -> None:
    """Its class, and its sentence with what was filled in, so that it can be said in any language."""
    with pytest.raises(models.UnknownModelError) as found:
        known.describe("resnet19")
    with pytest.raises(models.UnknownModelError) as expected:
        models.describe("resnet19")
    assert str(found.value) == str(expected.value)
    assert str(found.value).values == str(expected.value).values  # type: ignore[attr-defined]


@pytest.mark.usefixtures("engine")
def test_own_weights_are_compared_without_their_numbers() -> None:
    """The report is the one of the tensors themselves."""
    part = dict(list(state(21).items())[:-2])
    mine = own_weights(saved(part))
    assert known.compare("lenet", mine) == models.own.compare("lenet", part)


@pytest.mark.parametrize("legacy", [False, True])
def test_own_weights_reach_the_model_in_either_process(engine: Engine, photo: Photo, *, legacy: bool) -> None:
    """The file crosses as it is. A model made here by hand from the same numbers says the same."""
    mine = own_weights(saved(state(21), legacy=legacy))
    card = models.describe("lenet")
    net = models.load("lenet", "random")
    net.load_state_dict(state(21))
    shares = net(card.preprocessing(photo.image)).softmax(1)[0]
    found = engine.do(Predict(photo, "lenet", mine.id), visitor="ann").result(patience(60))
    label, share = found.top[0]
    assert card.classes[int(shares.argmax())] == label
    assert share == pytest.approx(float(shares.max()), rel=1e-5)


def test_weights_whose_visit_has_ended_are_refused_in_either_process(engine: Engine, photo: Photo) -> None:
    """In the same sentence."""
    with pytest.raises(RequestError, match="upload the file again"):
        engine.do(Predict(photo, "lenet", "own:" + "0" * 64), visitor="ann").result(patience(60))


def test_weights_that_are_here_are_fetched_at_once(engine: Engine) -> None:
    """Nothing is told of the way; others are refused in the catalogue's words."""
    told: list[tuple[int, int]] = []
    known.download("lenet", lambda done, total: told.append((done, total)))
    assert not [each for each in told if each != (0, 0)]
    assert asyncio.run(known.fetched("lenet", 10)) is None
    assert engine.do(Fetch("lenet"), visitor="ann").result(patience(60)) is None
    with pytest.raises(models.UnknownModelError):
        known.download("resnet19", lambda *_: None)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalEngine]:
    """An engine that the page asks, of whose work each piece counts as half a minute."""
    engine = LocalEngine(Shelf(), device="cpu")
    monkeypatch.setattr(known, "engine", lambda: engine)
    monkeypatch.setattr(worker, "meter", lambda: lambda: 30.0)
    known.forget()
    yield engine
    engine.close()
    known.forget()


def test_one_visitors_question_about_the_catalogue_refuses_nobody_elses(
    slow: LocalEngine, tmp_path: Path
) -> None:
    """Its facts are for all, also while somebody waits for a model."""
    known.describe("lenet")
    waits = slow.do(Long(str(tmp_path), 100), visitor="eve")
    assert known.describe("resnet18") == models.describe("resnet18")
    assert not waits.done()
    waits.cancel()


def test_own_weights_are_compared_at_the_cost_of_who_brought_them(slow: LocalEngine) -> None:
    """Facts of the catalogue cost nobody."""
    mine = own_weights(saved(state(22)), "ann")
    known.describe("lenet")
    assert slow._purses.owed("ann") == 0
    known.compare("lenet", mine)
    assert slow._purses.owed("ann") > slow._purses.owed("bob") == 0


def test_a_download_tells_how_far_it_is(engines: dict[str, Engine], monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is here; then it is asked again what the model needs."""
    monkeypatch.setattr(known, "engine", lambda: engines[HERE])
    here, told, end = list[str](), list[tuple[int, int]](), time.monotonic() + patience(60)

    def download(model: str, progress: Callable[[int, int], None]) -> None:
        for done in range(40):
            progress(done, 40)
            asyncio.run(asyncio.sleep(0.01))
        while len(told) < 2 and time.monotonic() < end:
            time.sleep(0.01)
        here.append(model)

    monkeypatch.setattr(models, "download", download)
    monkeypatch.setattr(models, "is_ready", here.__contains__)
    known.forget()
    assert not known.is_ready("photonet")
    known.download("photonet", lambda done, total: told.append((done, total)))
    assert len(told) > 1
    assert told == sorted(told)
    assert known.is_ready("photonet")
    known.forget()


class Theirs(Preprocessing):
    """An operator's own way to prepare pictures."""

    def describe(self) -> str:
        """Return a word."""
        return "theirs"


def test_an_operators_function_does_not_reach_the_page(
    engines: dict[str, Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name does, without the function, which may not even be picklable."""
    card = replace(models.describe("lenet"), preprocessing=FunctionPreparation(lambda picture: picture))
    monkeypatch.setattr(models, "describe", lambda _: card)
    found = engines[HERE].do(Card("lenet"), visitor="ann").result(patience(60)).preprocessing
    assert pickle.loads(pickle.dumps(found)).describe() == card.preprocessing.describe()


def test_an_operators_code_does_not_reach_the_page(
    engines: dict[str, Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its words do; in the same process also what part of a picture the model sees."""
    card = replace(models.describe("lenet"), preprocessing=Theirs(32, (32, 32)))
    monkeypatch.setattr(models, "describe", lambda _: card)
    found = engines[HERE].do(Card("lenet"), visitor="ann").result(patience(60)).preprocessing
    assert found.describe() == "theirs"
    assert found.window((64, 32)) == card.preprocessing.window((64, 32))
    sent = pickle.dumps(found)
    assert Path(__file__).stem.encode() not in sent
    assert pickle.loads(sent).describe() == "theirs"
    assert pickle.loads(sent).window is None
