"""Two requests compared: both on one scale in one order, their difference, and what cannot be compared."""

import io
import json
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import Normalize
from PIL import Image

from tests.machine import patience
from tests.viz.subjects import Shelf, by_hand, photo, wanted
from viz.answers.message import as_json
from viz.engine.engine import Engine
from viz.errors import RequestError
from viz.pictures.photo import Photo
from viz.request.inspection import LayerView
from viz.views.comparison import FARTHEST, Comparison, ComparisonView

WAIT = patience(120)


def compared(
    engine: Engine, left: tuple[Photo, str], right: tuple[Photo, str], order: str = FARTHEST, **more: Any
) -> ComparisonView:
    """Two layers of two pictures, drawn in one way."""
    requests = [wanted(picture, layer, order=order, **more) for picture, layer in (left, right)]
    task = Comparison(requests[0], requests[1], (left[0], right[0]))
    found: ComparisonView = engine.do(task, visitor="ann").result(WAIT)
    return found


def tiles(view: LayerView) -> np.ndarray:
    """The colours of every tile in the mosaic's order, (tiles, height, width, 4)."""
    pixels = np.asarray(Image.open(io.BytesIO(view.png)).convert("RGBA"))
    place = view.geometry
    steps = [divmod(number, place.columns) for number in range(place.channels)]
    corners = [(row * (place.tile_height + 1), column * (place.tile_width + 1)) for row, column in steps]
    return np.stack([pixels[y : y + place.tile_height, x : x + place.tile_width] for y, x in corners])


def test_both_sides_are_drawn_on_one_scale_in_the_order_of_their_differences(engine: Engine) -> None:
    """Every pixel of both sides and of the difference, from values computed by hand."""
    one, other = photo(1), photo(2)
    left, right = by_hand(one)["first"][0][0], by_hand(other)["first"][0][0]
    found = compared(engine, (one, "first"), (other, "first"))
    apart = left.astype(np.float64) - right
    mean = np.abs(apart).mean((1, 2))
    order = sorted(range(len(mean)), key=lambda channel: -mean[channel])
    np.testing.assert_allclose(np.array(found.distances, float), mean, rtol=1e-4)
    reach, furthest = max(abs(left).max(), abs(right).max()), abs(apart).max()
    for view, maps, limit in zip(found.views, (left, right, apart), (reach, reach, furthest), strict=True):
        assert list(view.geometry.order) == order
        assert (view.vmin, view.vmax) == pytest.approx((-limit, limit), rel=1e-4)
        colours = mpl.colormaps["coolwarm"](Normalize(view.vmin, view.vmax)(maps[order]), bytes=True)
        assert (np.abs(tiles(view).astype(int) - colours) <= 2).mean() > 0.999


def test_a_picture_beside_itself_does_not_differ(engine: Engine) -> None:
    """Zero everywhere, in the neutral colour, and the channels in their own order."""
    found = compared(engine, (photo(1), "second"), (photo(1), "second"))
    assert found.difference is not None
    assert found.difference.statistics.minimum == found.difference.statistics.maximum == 0
    assert set(found.distances) == {0.0}
    assert list(found.difference.geometry.order) == [0, 1, 2]
    assert len(np.unique(tiles(found.difference).reshape(-1, 4), axis=0)) == 1


def test_two_layers_of_one_shape_can_be_told_apart(engine: Engine) -> None:
    """A convolution and the ReLU behind it: the difference is the negative part."""
    found = compared(engine, (photo(1), "first"), (photo(1), "relu"), order="index")
    assert found.difference is not None
    first = by_hand(photo(1))["first"][0][0]
    assert found.difference.statistics.maximum == pytest.approx(0, abs=1e-6)
    assert found.difference.statistics.minimum == pytest.approx(first.min(), rel=1e-4)
    assert found.difference.geometry.order == ()


def test_layers_of_other_shapes_have_a_scale_each(engine: Engine) -> None:
    """There is no difference, and each side keeps its own limits and its own order."""
    found = compared(engine, (photo(1), "first"), (photo(1), "second"))
    assert found.difference is None
    limits = [abs(by_hand(photo(1))[layer][0]).max() for layer in ("first", "second")]
    assert limits[0] != pytest.approx(limits[1], rel=1e-2)
    for view, limit in zip(found.views, limits, strict=True):
        assert (view.vmin, view.vmax) == pytest.approx((-limit, limit), rel=1e-4)
        assert view.geometry.order == ()


def test_layers_of_other_shapes_are_clipped_each_for_itself(engine: Engine) -> None:
    """From the 1st to the 99th percentile of a side's own values, around zero."""
    found = compared(engine, (photo(1), "first"), (photo(1), "second"), scale="clipped")
    for view, layer in zip(found.views, ("first", "second"), strict=True):
        ends = np.percentile(by_hand(photo(1))[layer][0], (1, 99), method="inverted_cdf")
        assert view.vmax == -view.vmin == pytest.approx(abs(ends).max(), rel=1e-4)


def test_one_scale_for_the_models_is_shared_whatever_the_shapes(engine: Engine) -> None:
    """Those limits come from every layer, so they mean the same on both sides."""
    found = compared(engine, (photo(1), "first"), (photo(1), "second"), scale="model")
    one, other = found.views
    assert (one.vmin, one.vmax) == (other.vmin, other.vmax)


def test_the_models_scale_is_that_of_both_runs(engine: Engine) -> None:
    """The larger one of both pictures' ranges."""
    found = compared(engine, (photo(1), "relu"), (photo(2), "relu"), scale="model")
    calls = [call for seed in (1, 2) for layer in by_hand(photo(seed)).values() for call in layer]
    assert found.left is not None
    assert found.left.vmax == pytest.approx(max(abs(call).max() for call in calls), rel=1e-4)


def test_a_side_that_cannot_be_drawn_says_why_and_leaves_the_other(engine: Engine) -> None:
    """A call and a layer that do not exist."""
    one = wanted(photo(1), "last", order=FARTHEST)
    for other, words in ((wanted(photo(1), "last", call=5), "no call 6"), (wanted(photo(1), "no"), "'no'")):
        task = Comparison(one, other, (photo(1), photo(1)))
        found = engine.do(task, visitor="ann").result(WAIT)
        assert found.left is not None
        assert (found.right, found.difference) == (None, None)
        assert words in found.problems[1]


def test_the_facts_are_plain_json(engine: Engine) -> None:
    """Anything missing is null."""
    found = json.loads(as_json(compared(engine, (photo(1), "first"), (photo(1), "last")).facts()))
    assert (found["left"]["layer"], found["right"]["layer"], found["difference"]) == ("first", "last", None)
    assert (found["problem_left"], found["problem_right"]) == ("", "")


def test_a_comparison_is_kept_and_needs_no_new_pass(engine: Engine, shelf: Shelf) -> None:
    """Other colours need none either."""
    asked = ((photo(1), "first"), (photo(2), "first"))
    found = compared(engine, *asked)
    passes = shelf.net.passes
    assert as_json(compared(engine, *asked).facts()) == as_json(found.facts())
    compared(engine, *asked, colormap="magma", scale="clipped")
    assert shelf.net.passes == passes


def test_a_comparison_under_another_pictures_name_is_refused(engine: Engine) -> None:
    """That holds for each side."""
    with pytest.raises(RequestError, match="a different picture"):
        engine.do(Comparison(wanted(photo(1)), wanted(photo(2)), (photo(1), photo(1))), visitor="ann")
