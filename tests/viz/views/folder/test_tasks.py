"""Effects of one picture on every channel, through an engine, against plain formulas."""

import io

import numpy as np
import pytest
from PIL import Image

from tests.machine import patience
from tests.viz.subjects import Counting, by_hand, photo
from viz.engine.engine import Engine, LocalEngine
from viz.errors import CaptureError
from viz.exemplars.card import weights_digest
from viz.exemplars.looked import Channels
from viz.views.folder.tasks import Identify, PeaksOf, PeaksOfNext, SeenByCells, SeenSmall

NET = ("counting", "random")
SECONDS = patience(120)


def test_each_channel_has_its_strongest_cell_and_its_mean(engine: Engine) -> None:
    """Maps are as plain convolutions make them; scores are their own maximum and mean."""
    picture = photo(1)
    found = engine.do(PeaksOf(picture, *NET), visitor="me").result(SECONDS)
    maps, scores = (("first", 0, 4), ("relu", 0, 4), ("second", 0, 3)), (("last", 0, 3), ("last", 1, 3))
    assert found.calls == tuple(Channels(*each) for each in (*maps, *scores))
    np.testing.assert_allclose(found.maximum[-3:], 1 / (1 + np.exp(-found.maximum[-6:-3])), rtol=1e-5)
    np.testing.assert_array_equal(found.maximum[-6:], found.mean[-6:])
    hand = np.concatenate(
        [by_hand(picture)[call.layer][0][0].reshape(call.channels, -1) for call in found.calls[:2]]
    )
    np.testing.assert_allclose(found.maximum[:8], hand.max(1), rtol=1e-5)
    np.testing.assert_allclose(found.mean[:8], hand.mean(1), rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(found.row[:8] * 6 + found.column[:8], hand.argmax(1))
    assert found.size == (8, 8)


def test_the_next_ones_of_a_pass_do_not_replace_each_other(engine: Engine) -> None:
    """All of one visitor, asked at once: each is answered, and none is kept."""
    pictures = [photo(seed) for seed in range(5)]
    asked = [engine.do(PeaksOfNext(each, *NET), visitor="pass", urgent=False) for each in pictures]
    for picture, coming in zip(pictures, asked, strict=True):
        plain = engine.do(PeaksOf(picture, *NET), visitor="me").result(SECONDS)
        np.testing.assert_array_equal(coming.result(SECONDS).maximum, plain.maximum)


def test_cells_see_the_windows_that_lead_to_them(engine: Engine) -> None:
    """Two windows of three: a cell of the first layer sees 3 × 3 pixels, one of the second 5 × 5."""
    cells = ((0, 0, 0), (1, 2, 3))
    first = engine.do(SeenByCells((8, 8), *NET, "first", 0, cells), visitor="me").result(SECONDS)
    assert first == ((0, 0, 3, 3), (3, 2, 6, 5))
    second = engine.do(SeenByCells((8, 8), *NET, "second", 0, cells), visitor="me").result(SECONDS)
    assert second == ((0, 0, 5, 5), (3, 2, 8, 7))
    none = engine.do(SeenByCells((8, 8), *NET, "last", 0, ((0, 0, 0),)), visitor="me").result(SECONDS)
    assert none == (None,)


def test_a_picture_is_shown_as_the_model_sees_it(engine: Engine) -> None:
    """Eight by eight pixels, as JPEG."""
    jpeg = engine.do(SeenSmall(photo(1), *NET), visitor="me").result(SECONDS)
    assert Image.open(io.BytesIO(jpeg)).size == (8, 8)


def test_who_fails_on_a_picture_says_so(local_engine: LocalEngine) -> None:
    """In one sentence with what the model raised, and nothing of ours is at fault."""
    with pytest.raises(CaptureError, match="fails on this picture: ZeroDivisionError"):
        local_engine.do(PeaksOf(photo(1), "failing", "random"), visitor="me").result(SECONDS)


def test_a_pass_is_known_by_its_layers_and_all_weights(local_engine: LocalEngine) -> None:
    """Those with channels; the net is made with one seed, so another one has the same weights."""
    found = local_engine.do(Identify(*NET), visitor="me").result(SECONDS)
    assert found.layers == ("first", "relu", "second", "last")
    assert found.weights_sha256 == weights_digest(Counting())
