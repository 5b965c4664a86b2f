"""The engine: right answers, computed once, and errors that reach only the visitor who asked."""

import io

import numpy as np
import pytest
import torch
from PIL import Image
from torch import nn

from tests.machine import patience
from tests.viz.random_tasks import bits
from tests.viz.subjects import CLASSES, Shelf, as_seen, by_hand, photo, prepare, subject, wanted
from viz.engine.engine import Engine, LocalEngine
from viz.errors import CallError, EngineClosedError, RequestError, SupersededError, UnknownLayerError
from viz.maps.mosaic import render_mosaic
from viz.views.one_layer import Values, View
from viz.views.whole_model import Predict, Seen, Survey

WAIT = patience(120)


def test_a_view_shows_what_the_layer_returned(engine: Engine) -> None:
    """The mosaic of the values computed by hand."""
    picture = photo(1)
    view = engine.do(View(wanted(picture, "second"), picture), visitor="ann").result(WAIT)
    maps = by_hand(picture)["second"][0]
    np.testing.assert_allclose([view.vmin, view.vmax], [-abs(maps).max(), abs(maps).max()], rtol=1e-5)
    assert view.shape == maps.shape
    assert (view.layer, view.type, view.calls) == ("second", "Conv2d", 1)


def test_a_layer_is_not_spoilt_by_the_next_one_in_place(engine: Engine) -> None:
    """``relu`` overwrites what ``first`` returned; the values are those before."""
    picture = photo(2)
    values = engine.do(Values(wanted(picture, "first"), picture), visitor="ann").result(WAIT)
    found = values.call(0)["output"].array
    assert found.min() < 0
    np.testing.assert_allclose(found, by_hand(picture)["first"][0], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("urgent", [True, False])
@pytest.mark.parametrize("name", ["last", "also"])
def test_every_call_of_a_layer_is_there_under_each_of_its_names(
    engine: Engine, name: str, *, urgent: bool
) -> None:
    """Also when a prefetch records all layers at once."""
    picture = photo(3)
    view = engine.do(
        View(wanted(picture, name, call=1), picture, whole=not urgent), visitor="ann", urgent=urgent
    ).result(WAIT)
    assert (view.layer, view.call, view.calls) == (name, 1, 2)
    values = engine.do(Values(wanted(picture, name), picture), visitor="ann").result(WAIT)
    for call, expected in enumerate(by_hand(picture)["last"]):
        np.testing.assert_allclose(values.call(call)["output"].array, expected, rtol=1e-5)


def test_a_call_that_never_was_is_refused(engine: Engine) -> None:
    """Calls are counted from 1 in what people read."""
    picture = photo(3)
    with pytest.raises(CallError, match="ran 2 times for this input, so there is no call 3"):
        engine.do(View(wanted(picture, "last", call=2), picture), visitor="ann").result(WAIT)


def test_the_pass_ends_with_the_layer_that_is_wanted(engine: Engine, shelf: Shelf) -> None:
    """Later layers do not run."""
    engine.do(Survey("counting", "random"), visitor="ann").result(WAIT)
    shelf.net.steps.clear()
    engine.do(View(wanted(photo(1), "relu"), photo(1)), visitor="ann").result(WAIT)
    assert shelf.net.steps == {"first": 1, "relu": 1}


def test_equal_requests_of_many_visitors_take_one_pass(engine: Engine, shelf: Shelf) -> None:
    """All who ask while the first one waits or runs get the same answer."""
    engine.do(Survey("counting", "random"), visitor="ann").result(WAIT)
    net, picture = shelf.net, photo(1)
    net.gate.clear()
    net.passes = 0
    futures = [engine.do(View(wanted(picture), picture), visitor=f"visitor {n}") for n in range(20)]
    net.gate.set()
    assert len({bits(future.result(WAIT).png) for future in futures}) == 1
    assert net.passes == 1


def test_other_colours_need_no_new_pass(engine: Engine, shelf: Shelf) -> None:
    """The values are kept, and so is the answer."""
    picture = photo(1)
    engine.do(View(wanted(picture), picture), visitor="ann").result(WAIT)
    passes = shelf.net.passes
    hot = engine.do(View(wanted(picture, colormap="hot", scale="channel"), picture), visitor="ann").result(
        WAIT
    )
    assert shelf.net.passes == passes
    maps = engine.do(Values(wanted(picture), picture), visitor="ann").result(WAIT).call(0)["output"].array[0]
    assert bits(hot.png) == bits(render_mosaic(maps, colormap="hot", scale="channel").png)
    assert engine.do(View(wanted(picture), picture), visitor="bob").result(WAIT).png
    assert shelf.net.passes == passes


def test_a_known_answer_is_there_at_once(local_engine: LocalEngine) -> None:
    """An engine in this process need not hand it to a worker."""
    picture = photo(1)
    first = local_engine.do(View(wanted(picture), picture), visitor="ann").result(WAIT)
    again = local_engine.do(View(wanted(picture), picture), visitor="bob")
    assert again.done()
    assert again.result() is first


def test_a_prefetch_brings_the_whole_pass(engine: Engine, shelf: Shelf) -> None:
    """A visitor who then flips to the next layers does not wait for any of them."""
    picture = photo(1)
    engine.do(View(wanted(picture, "relu"), picture, whole=True), visitor="ann", urgent=False).result(WAIT)
    passes = shelf.net.passes
    for layer in ("first", "second", "last"):
        engine.do(View(wanted(picture, layer), picture), visitor="ann").result(WAIT)
    assert shelf.net.passes == passes


def test_a_newer_view_replaces_an_older_one_of_the_same_visitor_only(engine: Engine, shelf: Shelf) -> None:
    """Five quick clicks of one visitor, one of another: two answers."""
    engine.do(Survey("counting", "random"), visitor="ann").result(WAIT)
    net, ann, bob = shelf.net, photo(1), photo(2)
    net.gate.clear()
    net.started.clear()
    running = engine.do(Predict(photo(3), "counting", "random"), visitor="eve")
    assert net.started.wait(WAIT)
    others = engine.do(View(wanted(bob), bob), visitor="bob")
    clicks = [engine.do(View(wanted(ann, "first", columns=n + 1), ann), visitor="ann") for n in range(5)]
    for click in clicks[:-1]:  # while the model is busy: on Ray a click is on its way for a moment
        with pytest.raises(SupersededError):
            click.result(WAIT)
    net.gate.set()
    assert clicks[-1].result(WAIT).geometry.columns == 4
    assert others.result(WAIT).layer == "first"
    assert running.result(WAIT).top


def test_a_model_that_fails_takes_nothing_else_along(engine: Engine) -> None:
    """Each request gets its error, every time; the engine goes on."""
    picture = photo(1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="not plain"):
            engine.do(View(wanted(picture, "layer", "failing"), picture), visitor="ann").result(WAIT)
    assert engine.do(View(wanted(picture), picture), visitor="ann").result(WAIT).png


def test_a_model_that_cannot_be_loaded_is_tried_again(engine: Engine) -> None:
    """An error is not kept as an answer."""
    for _ in range(2):
        with pytest.raises(FileNotFoundError, match="absent"):
            engine.do(Survey("absent", "random"), visitor="ann").result(WAIT)


def test_what_does_not_exist_is_refused_by_name(engine: Engine) -> None:
    """A layer, a colormap, a tensor of the output."""
    picture = photo(1)
    with pytest.raises(UnknownLayerError, match="did you mean first"):
        engine.do(View(wanted(picture, "frist"), picture), visitor="ann").result(WAIT)
    with pytest.raises(RequestError, match="colormap"):
        engine.do(View(wanted(picture, colormap="nice"), picture), visitor="ann").result(WAIT)
    with pytest.raises(RequestError, match="it returned output"):
        engine.do(View(wanted(picture, leaf="output[1]"), picture), visitor="ann").result(WAIT)


def test_a_request_for_another_picture_than_the_one_that_comes_with_it_is_refused(
    engine: Engine,
) -> None:
    """Otherwise one visitor's maps could be cached, and served, under another picture's name."""
    mine, theirs = photo(1), photo(2)
    for question in (View, Values):
        with pytest.raises(RequestError, match="picture"):
            engine.do(question(wanted(theirs), mine), visitor="ann").result(WAIT)


def test_answers_cannot_be_changed_by_who_gets_them(engine: Engine) -> None:
    """They are shared by all visitors with the same request."""
    values = engine.do(Values(wanted(photo(1)), photo(1)), visitor="ann").result(WAIT)
    with pytest.raises(ValueError, match="read-only"):
        values.call(0)["output"].array[:] = 0


def test_a_prediction_behind_a_sigmoid_is_each_label_s_own_probability(engine: Engine) -> None:
    """Best first, with the classes' names; no softmax comes on top."""
    picture = photo(4)
    shares = by_hand(picture)["last"][1][0].astype(np.float64)
    top = engine.do(Predict(picture, "counting", "random"), visitor="ann").result(WAIT).top
    assert [name for name, _ in top] == [CLASSES[n] for n in np.argsort(-shares)]
    np.testing.assert_allclose([share for _, share in top], sorted(shares, reverse=True), rtol=1e-5)


def test_what_the_model_saw_comes_as_png(engine: Engine) -> None:
    """The input, back as a picture."""
    picture = photo(5)
    png = engine.do(Seen(picture, "counting", "random"), visitor="ann").result(WAIT)
    np.testing.assert_array_equal(Image.open(io.BytesIO(png)), as_seen(prepare(picture.image)))


def test_a_closed_engine_says_so(local_shelf: Shelf) -> None:
    """New requests get that error, and so do those that wait."""
    engine = LocalEngine(local_shelf, device="cpu")
    engine.do(Survey("counting", "random"), visitor="ann").result(WAIT)
    engine.close()
    with pytest.raises(EngineClosedError):
        engine.do(View(wanted(photo(1)), photo(1)), visitor="ann")


class Blending(nn.Module):
    """Blends each picture with those that it has seen before: in a buffer, and in an attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.blended = nn.Identity()
        self.register_buffer("seen", torch.zeros(1, 3, 8, 8))
        self.last: torch.Tensor | None = None

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return scores (N, 3) of images (N, 3, 8, 8)."""
        self.seen.mul_(0.5).add_(images)
        self.last = self.seen if self.last is None else self.last + images
        scores: torch.Tensor = self.blended(self.seen + self.last).mean((2, 3))
        return scores


def test_a_net_with_a_state_shows_each_picture_as_if_it_were_the_first() -> None:
    """Neither the survey's grey picture nor another visitor's photo is in the maps: 2 × the picture."""
    engine = LocalEngine(lambda *_: subject(Blending()), device="cpu")
    for number, visitor in ((1, "ann"), (2, "ben"), (1, "cleo")):
        picture = photo(number)
        values = engine.do(Values(wanted(picture, "blended"), picture), visitor=visitor).result(WAIT)
        np.testing.assert_allclose(
            values.call(0)["output"].array, 2 * prepare(picture.image).numpy(), rtol=1e-6
        )
    engine.close()
