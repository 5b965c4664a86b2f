"""Layers to take home: every call drawn as on the page, in execution order, and bounded in size."""

import numpy as np
import pytest

from tests.machine import patience
from tests.viz.random_tasks import bits
from tests.viz.subjects import Shelf, by_hand, photo, wanted
from viz.engine.engine import Engine, LocalEngine
from viz.engine.limits import Limits, answer_bytes
from viz.errors import RequestError, TooLargeError
from viz.findings.values import LayerValues, Leaf
from viz.maps.mosaic import render_mosaic
from viz.request.inspection import Inspection
from viz.take_home.album import Album, Sheet, level, sheets_of
from viz.views.one_layer import View

WAIT = patience(120)


def album(engine: Engine, block: str = "", **more: object) -> tuple[Sheet, ...]:
    """The sheets of a picture."""
    task = Album(wanted(photo(1), "", **more), photo(1), block)
    found: tuple[Sheet, ...] = engine.do(task, visitor="ann").result(WAIT)
    return found


def layer(array: np.ndarray) -> LayerValues:
    """A layer that returned this."""
    return LayerValues("conv", "Conv2d", "cpu", ({"output": Leaf(array, str(array.dtype))},))


def test_every_call_has_a_sheet_with_the_layers_own_values(engine: Engine) -> None:
    """In execution order, against the net by hand; a layer that runs twice has two, numbered."""
    sheets, expected = album(engine), by_hand(photo(1))
    assert [sheet.title for sheet in sheets] == ["first", "relu", "second", "last (1/2)", "last (2/2)"]
    for sheet in sheets:
        values = expected[sheet.layer][sheet.call]
        np.testing.assert_allclose(sheet.maps.ravel(), values.ravel(), rtol=1e-4, atol=1e-6)
        assert (sheet.shape, sheet.channels) == (values.shape, values.shape[1])
        assert sheet.figures is not None
        assert sheet.figures.maximum == pytest.approx(values.max(), rel=1e-4)


def test_a_sheet_is_drawn_as_the_page_draws_it(engine: Engine) -> None:
    """The same pixels, in the same colours and order."""
    more = {"colormap": "magma", "scale": "clipped", "order": "maximum"}
    sheet = album(engine, "second", **more)[0]
    request = wanted(photo(1), "second", **more)
    view = engine.do(View(request, photo(1)), visitor="ann").result(WAIT)
    assert sheet.mosaic is not None
    assert bits(sheet.mosaic.png) == bits(view.png)
    assert (sheet.mosaic.vmin, sheet.mosaic.vmax) == (view.vmin, view.vmax)
    assert sheet.mosaic.order == view.geometry.order


def test_the_models_scale_is_the_same_on_every_sheet(engine: Engine) -> None:
    """Symmetric around zero, as far as the largest value of all layers."""
    reach = max(abs(call).max() for calls in by_hand(photo(1)).values() for call in calls)
    for sheet in album(engine, scale="model"):
        assert sheet.mosaic is not None
        assert (sheet.mosaic.vmin, sheet.mosaic.vmax) == pytest.approx((-reach, reach), rel=1e-4)


def test_a_large_layer_shows_its_first_maps_in_the_colours_of_all() -> None:
    """As many maps as allowed, and at least one; the statistics are those of all values."""
    array = np.random.default_rng(0).normal(size=(1, 6, 5, 4)).astype(np.float32)
    array[0, 5] *= 10
    request = Inspection("picture", "net", "random", "conv", order="mean")
    (sheet,) = sheets_of(layer(array), request, most=50)
    order = np.argsort(-array[0].mean((1, 2)), kind="stable")
    np.testing.assert_array_equal(sheet.maps, array[0, order[:2]])
    assert (sheet.channels, sheet.mosaic.order if sheet.mosaic else ()) == (6, tuple(order[:2]))
    assert sheet.figures is not None
    assert sheet.figures.maximum == array.max()
    expected = render_mosaic(array[0], colormap="auto", order=order[:2].tolist())
    assert sheet.mosaic is not None
    assert bits(sheet.mosaic.png) == bits(expected.png)
    (smallest,) = sheets_of(layer(array), request, most=1)
    assert len(smallest.maps) == 1


def test_what_cannot_be_drawn_says_why() -> None:
    """The reason replaces the maps."""
    (sheet,) = sheets_of(layer(np.empty((1, 0, 2, 2), np.float32)), Inspection("p", "net", "random", "conv"))
    assert "nothing" in sheet.problem
    assert (sheet.mosaic, sheet.maps.size) == (None, 0)


@pytest.mark.parametrize(
    ("sizes", "most", "expected"),
    [([5, 1, 100, 40], 66, 30), ([5, 1, 100, 40], 146, 146), ([10, 10], 9, 4), ([], 7, 7), ([0, 0, 9], 6, 6)],
)
def test_room_is_shared_like_water_among_vessels(sizes: list[int], most: int, expected: int) -> None:
    """Small sizes are granted in full, large ones are cut at one level; the sum stays in the limit."""
    found = level(sizes, most)
    assert found == expected
    assert sum(min(size, found) for size in sizes) <= most


def test_a_block_that_does_not_run_is_refused(engine: Engine) -> None:
    """It is refused by name; half a name is not a block."""
    for block in ("nosuch", "fir", "first."):
        with pytest.raises(RequestError, match=block):
            album(engine, block)


def test_what_would_take_too_much_is_refused(local_shelf: Shelf) -> None:
    """Before any pass is made for it."""
    engine = LocalEngine(local_shelf, device="cpu", limits=Limits(capture=2000))
    with pytest.raises(TooLargeError, match="all layers"):
        album(engine)
    engine.close()


def test_an_album_is_kept_by_its_size(engine: Engine) -> None:
    """The cache that it goes into counts the arrays."""
    sheets = album(engine)
    assert answer_bytes(sheets) > sum(sheet.maps.nbytes for sheet in sheets)
