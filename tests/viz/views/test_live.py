"""Camera frames: the same numbers as for an uploaded picture, and nothing is kept."""

import io

import numpy as np
import pytest
from PIL import Image

from tests.machine import patience
from tests.viz.subjects import Shelf, by_hand, photo, wanted
from viz.engine.engine import Engine, LocalEngine
from viz.errors import RequestError, SupersededError
from viz.request.edit_request import edits_from
from viz.views.all_layers import Overview
from viz.views.live import Live, LiveOverview
from viz.views.one_layer import View
from viz.views.whole_model import Predict, Survey

SECONDS = patience(120)


def test_a_frame_gives_what_a_picture_gives(engine: Engine) -> None:
    """Each layer against plain formulas; predictions and what was seen against the engine's other answers."""
    for seed, layer in enumerate(("first", "relu", "second")):
        picture = photo(seed)
        frame = engine.do(Live(wanted(picture, layer), picture), visitor="me").result(SECONDS)
        np.testing.assert_allclose(
            frame.view.channels.mean, by_hand(picture)[layer][0][0].mean((1, 2)), rtol=1e-4, atol=1e-6
        )
        assert frame.view == engine.do(View(wanted(picture, layer), picture), visitor="me").result(SECONDS)
        assert frame.prediction == engine.do(Predict(picture, "counting", "random"), visitor="me").result(
            SECONDS
        )
        assert Image.open(io.BytesIO(frame.seen)).size == (8, 8)


def test_all_layers_of_a_frame_are_those_of_a_picture(local_engine: LocalEngine) -> None:
    """Each against the engine's answer for the picture itself, and nothing is kept of the frame."""
    picture = photo(3)
    local_engine.do(Survey("counting", "random"), visitor="me").result(SECONDS)
    before = local_engine._values.bytes, local_engine._answers.bytes
    frame = local_engine.do(LiveOverview(wanted(picture), picture), visitor="me").result(SECONDS)
    assert (local_engine._values.bytes, local_engine._answers.bytes) == before
    still = local_engine.do(Overview(wanted(picture), picture), visitor="me").result(SECONDS)
    assert frame.thumbs == still
    for one, other in zip(frame.thumbs, still, strict=True):
        np.testing.assert_array_equal(one.map, other.map)
    assert frame.prediction == local_engine.do(Predict(picture, "counting", "random"), visitor="me").result(
        SECONDS
    )
    with pytest.raises(RequestError, match="a different picture"):
        local_engine.do(LiveOverview(wanted(photo(1)), photo(2)), visitor="me")


def test_nothing_of_a_frame_is_kept(local_engine: LocalEngine, local_shelf: Shelf) -> None:
    """The same frame is computed again each time, and the caches do not grow."""
    picture = photo(1)
    local_engine.do(Survey("counting", "random"), visitor="me").result(SECONDS)
    before, passes = (local_engine._values.bytes, local_engine._answers.bytes), local_shelf.net.passes
    for _ in range(3):
        local_engine.do(Live(wanted(picture), picture), visitor="me").result(SECONDS)
    assert (local_engine._values.bytes, local_engine._answers.bytes) == before
    assert local_shelf.net.passes == passes + 6  # the layer's pass and the predictions' pass


def test_edits_and_their_difference_reach_a_frame(engine: Engine) -> None:
    """After the edit the channel is zero; the difference is minus what it was."""
    picture, edits = photo(2), edits_from("first:zero:1")
    was = by_hand(picture)["first"][0][0, 1].mean()
    for show, mean in (("after", 0), ("before", was), ("difference", -was)):
        asked = wanted(picture, edits=edits, show=show)
        view = engine.do(Live(asked, picture), visitor="me").result(SECONDS).view
        np.testing.assert_allclose(view.channels.mean[1], mean, rtol=1e-4, atol=1e-6)


def test_frames_wait_for_everybody_and_the_newest_replaces_the_older(engine: Engine, shelf: Shelf) -> None:
    """While a pass runs, two frames and another view arrive: the view goes first, then the newer frame."""
    engine.do(Survey("counting", "random"), visitor="me").result(SECONDS)
    net, order = shelf.net, []
    net.gate.clear()
    net.started.clear()
    blocker = engine.do(Live(wanted(photo(0)), photo(0)), visitor="other")
    assert net.started.wait(SECONDS)
    older, newer = (engine.do(Live(wanted(photo(seed)), photo(seed)), visitor="me") for seed in (1, 2))
    view = engine.do(View(wanted(photo(3)), photo(3)), visitor="somebody")
    newer.add_done_callback(lambda _: order.append("frame"))
    view.add_done_callback(lambda _: order.append("view"))
    with pytest.raises(SupersededError):
        older.result(SECONDS)
    net.gate.set()
    for each in (blocker, view, newer):
        each.result(SECONDS)
    assert order == ["view", "frame"]


def test_a_frame_under_another_name_is_refused(engine: Engine) -> None:
    """The same holds for any picture."""
    with pytest.raises(RequestError, match="a different picture"):
        engine.do(Live(wanted(photo(1)), photo(2)), visitor="me")
