"""The engine with edits: right values, at the right place, never in another visitor's view."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from torch.nn.functional import conv2d

from tests.machine import patience
from tests.viz.conftest import Start
from tests.viz.subjects import CLASSES, Counting, photo, prepare, wanted
from viz.engine.engine import Engine, Limits
from viz.errors import EditError, RequestError, SupersededError, UnknownLayerError
from viz.pictures.samples import sample
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.views.all_layers import Overview, Ribbon
from viz.views.one_layer import Values, View
from viz.views.removal import Ablate
from viz.views.whole_model import Changes, Predict

WAIT, THREADS, REQUESTS = patience(120), 4, 50
EDITS = ("", "first:zero:1,3", "first:scale:all:2;relu:zero:0", "second:zero")


@pytest.fixture(params=[Limits(), Limits(kept=6000)], ids=["room for all", "room for nearly nothing"])
def engine(request: pytest.FixtureRequest, start: Start) -> Engine:
    """An engine that can cache everything, or one that must compute nearly everything again."""
    return start(request.param)[0]


@cache
def by_hand(seed: int, edits: str) -> dict[str, np.ndarray]:
    """Return the layers' outputs with one of the edits above, and the scores, by plain formulas."""
    net, image = Counting(), prepare(photo(seed).image)
    with torch.no_grad():
        first = conv2d(image, net.first.weight, net.first.bias)
        if edits == EDITS[1]:
            first[:, [1, 3]] = 0
        first = first * 2 if edits == EDITS[2] else first
        relu = first.clamp_min(0)
        if edits == EDITS[2]:
            relu[:, 0] = 0
        second = conv2d(relu, net.second.weight, net.second.bias) * (edits != EDITS[3])
        scores = torch.sigmoid(torch.sigmoid(second.mean((2, 3))))
    return {"first": first.numpy(), "relu": relu.numpy(), "second": second.numpy(), "scores": scores.numpy()}


def shares(seed: int, edits: str) -> np.ndarray:
    """The probability of each class, by hand: the net ends with a sigmoid, so each class has its own."""
    return by_hand(seed, edits)["scores"][0].astype(np.float64)


def asked(seed: int, layer: str, edits: str, **more: object) -> Inspection:
    """A request for a layer with edits."""
    return wanted(photo(seed), layer, edits=edits_from(edits), **more)


def output(engine: Engine, request: Inspection, seed: int, visitor: str = "ann") -> np.ndarray:
    """The layer's first call, asked again if a newer request took its place."""
    while True:
        try:
            return (
                engine.do(Values(request, photo(seed)), visitor=visitor).result(WAIT).call(0)["output"].array
            )
        except SupersededError:
            continue


@pytest.mark.parametrize("edits", EDITS)
@pytest.mark.parametrize("urgent", [True, False])
def test_a_view_shows_the_layer_with_the_edits(engine: Engine, edits: str, *, urgent: bool) -> None:
    """At the edited layer and behind it; a prefetch of the whole pass as well."""
    for layer in ("first", "relu", "second"):
        view = engine.do(
            View(asked(1, layer, edits), photo(1), whole=not urgent), visitor="ann", urgent=urgent
        ).result(WAIT)
        expected = by_hand(1, edits)[layer]
        assert view.statistics.mean == pytest.approx(float(expected.mean()), rel=1e-3, abs=1e-6)
        np.testing.assert_allclose(output(engine, asked(1, layer, edits), 1), expected, rtol=1e-4, atol=1e-6)


def test_before_after_and_difference_are_one_request_apart(engine: Engine) -> None:
    """The difference is after − before, of the values that both views show."""
    after, before = by_hand(2, EDITS[1])["second"], by_hand(2, "")["second"]
    for show, expected in (("after", after), ("before", before), ("difference", after - before)):
        found = output(engine, asked(2, "second", EDITS[1], show=show), 2)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_two_hundred_requests_with_and_without_edits_never_mix(engine: Engine) -> None:
    """From four threads of two visitors, each answer against its own formula."""
    together = threading.Barrier(THREADS)
    for seed in (0, 1):  # not in threads: nets use the process's only random generator
        for edits in EDITS:
            by_hand(seed, edits)

    def visit(number: int) -> list[bool]:
        chance, right = random.Random(number), []
        together.wait(WAIT)
        for _ in range(REQUESTS):
            edits, layer = chance.choice(EDITS), chance.choice(("first", "relu", "second"))
            seed = number % 2
            found = output(engine, asked(seed, layer, edits), seed, visitor=str(number))
            right.append(np.allclose(found, by_hand(seed, edits)[layer], rtol=1e-4, atol=1e-6))
        return right

    with ThreadPoolExecutor(THREADS) as threads:
        answers = [each for found in threads.map(visit, range(THREADS)) for each in found]
    assert len(answers) == 200
    assert all(answers)


def test_the_formulas_above_can_tell_the_edits_apart() -> None:
    """No two edits give the same second layer."""
    found = [by_hand(0, edits)["second"] for edits in EDITS]
    assert not any(np.allclose(a, b, rtol=1e-2) for n, a in enumerate(found) for b in found[:n])


def test_changes_are_those_of_each_class_probability(engine: Engine) -> None:
    """Best after the edits first; the plain prediction stays what it was."""
    changes = engine.do(Changes(asked(1, "first", EDITS[1]), photo(1)), visitor="ann").result(WAIT)
    before, after = shares(1, ""), shares(1, EDITS[1])
    assert [each.label for each in changes] == [CLASSES[place] for place in np.argsort(-after)]
    for each in changes:
        place = CLASSES.index(each.label)
        assert (each.before, each.after) == pytest.approx((before[place], after[place]), rel=1e-5)
    top = engine.do(Predict(photo(1), "counting", "random"), visitor="ann").result(WAIT).top
    assert dict(top)[CLASSES[0]] == pytest.approx(before[0], rel=1e-5)


def test_each_donor_has_answers_of_its_own(engine: Engine) -> None:
    """Two swaps that differ in their picture alone, asked for again and again, are never mixed up."""
    donors, picture = ("cat", "coffee"), photo(1)
    net = Counting()
    for name in (*donors, *donors[::-1], *donors):
        found = output(engine, asked(1, "second", f"first:swap:1,2:{name}"), 1)
        with torch.no_grad():
            maps, other = (net.first(prepare(image)) for image in (picture.image, sample(name)))
            maps[:, [1, 2]] = other[:, [1, 2]]
            expected = net.second(maps.clamp_min(0)).numpy()
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
    before = output(engine, asked(1, "second", "first:swap:1,2:cat", show="before"), 1)
    np.testing.assert_allclose(before, by_hand(1, "")["second"], rtol=1e-4, atol=1e-6)


def test_the_overview_shows_the_edits_too(engine: Engine) -> None:
    """A layer that was removed is zero in small as well; without edits it is not."""
    for edits, silent in ((EDITS[3], True), ("", False)):
        thumbs = engine.do(Overview(asked(1, "first", edits), photo(1)), visitor="ann").result(WAIT)
        second = next(thumb for thumb in thumbs if thumb.layer == "second")
        assert bool((second.map == 0).all()) is silent


def test_the_ribbon_shows_the_edits_too(engine: Engine) -> None:
    """The two channels that vary most, side by side; one that was removed does not vary."""
    for edits in EDITS[:3]:
        links = engine.do(Ribbon(asked(1, "first", edits), photo(1)), visitor="ann").result(WAIT)
        maps = by_hand(1, edits)["relu"][0]
        best = np.argsort(-maps.var(axis=(1, 2), dtype=np.float64), kind="stable")[:2]
        assert links[0].layer == "relu"
        np.testing.assert_allclose(links[0].map, maps[best], rtol=1e-4, atol=1e-6)


def test_an_ablation_removes_one_channel_after_another(engine: Engine) -> None:
    """In parts, with the visitor's own edits in force; what is beyond the last channel is left out."""
    request = asked(1, "first", "relu:zero:0")
    parts = [
        engine.do(Ablate(request, photo(1), span), visitor="ann").result(WAIT)
        for span in (range(1), range(1, 9))
    ]
    assert [part.channels for part in parts] == [range(1), range(1, 4)]
    scores = np.concatenate([part.scores for part in parts])
    net, image = Counting(), prepare(photo(1).image)
    with torch.no_grad():
        for channel in range(4):
            maps = conv2d(image, net.first.weight, net.first.bias).clamp_min(0)
            maps[:, [0, channel]] = 0
            second = conv2d(maps, net.second.weight, net.second.bias).mean((2, 3))
            expected = torch.sigmoid(torch.sigmoid(second))[0].numpy()
            np.testing.assert_allclose(scores[channel], expected, rtol=1e-5)


def test_an_ablation_asked_for_before_the_edits_is_one_without_them(engine: Engine) -> None:
    """Its answer is never used for somebody with no edits, nor the other way round."""
    with_edits = asked(1, "first", "relu:zero:0")
    parts = [
        engine.do(Ablate(request, photo(1), range(1)), visitor="ann").result(WAIT).baseline
        for request in (replace(with_edits, show="before"), with_edits, asked(1, "first", ""))
    ]
    np.testing.assert_array_equal(parts[0], parts[2])
    assert not np.allclose(parts[0], parts[1], rtol=1e-4)


@pytest.mark.parametrize(
    ("edits", "error", "said"),
    [
        ("frist:zero:0", UnknownLayerError, "did you mean first"),
        ("first:zero:4", EditError, "no channel 4: first has 4"),
        ("last@3:zero", RequestError, "runs 2 times"),
    ],
)
def test_an_edit_that_cannot_be_made_is_one_sentence(
    engine: Engine, edits: str, error: type[Exception], said: str
) -> None:
    """Even for a layer before it, which it would not change; the engine goes on."""
    for question in (View, Values, Changes, Overview):
        with pytest.raises(error, match=said):
            engine.do(question(asked(1, "first", edits), photo(1)), visitor="ann").result(WAIT)
    np.testing.assert_allclose(
        output(engine, asked(1, "first", ""), 1), by_hand(1, "")["first"], rtol=1e-4, atol=1e-6
    )
