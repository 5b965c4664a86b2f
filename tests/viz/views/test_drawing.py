"""From values to a view: the right tensor, the right numbers, and JSON that every browser reads."""

import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.viz.random_tasks import bits
from viz.answers.message import as_plain
from viz.errors import CallError, LayoutError, RequestError
from viz.findings.values import LayerValues, Leaf
from viz.maps.mosaic import render_mosaic
from viz.request.inspection import Inspection, LayerView
from viz.sentences import Sentence
from viz.views.drawing import draw_view

NAN, INF = float("nan"), float("inf")


def values(*calls: dict[str, Any], type_: str = "Conv2d") -> LayerValues:
    """A layer's values, given as arrays by their paths for each call."""
    leaves = [{path: Leaf(np.asarray(array), "float32") for path, array in call.items()} for call in calls]
    return LayerValues("block.conv", type_, "cpu", tuple(leaves))


def view(found: LayerValues, **more: Any) -> LayerView:
    """The view of a layer's values."""
    return draw_view(found, Inspection("picture", "net", "random", "block.conv", **more))


def maps(*shape: int) -> np.ndarray:
    """Noise of both signs."""
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def test_the_mosaic_is_that_of_the_values() -> None:
    """The same pixels as from ``render_mosaic`` with the same wishes."""
    array = maps(1, 5, 6, 7)
    found = view(values({"output": array}), colormap="magma", scale="channel", columns=2)
    expected = render_mosaic(array[0], colormap="magma", scale="channel", columns=2)
    assert bits(found.png) == bits(expected.png)
    assert found.vmin == tuple(expected.vmin)
    assert found.limits(3) == (expected.vmin[3], expected.vmax[3])


def test_the_geometry_leads_from_a_pixel_to_its_value() -> None:
    """Each tile of the picture has the shape, and stands at the place, that the geometry says."""
    array = np.arange(1 * 6 * 2 * 3, dtype=np.float32).reshape(1, 6, 2, 3)
    found = view(values({"output": array}), colormap="gray", columns=4)
    place = found.geometry
    assert (place.channels, place.columns, place.tile_height, place.tile_width) == (6, 4, 2, 3)
    with Image.open(io.BytesIO(found.png)) as picture:
        assert picture.size == (place.width, place.height)
        grey = np.asarray(picture.convert("RGBA"))[..., 0]
    for channel in range(6):
        row, column = divmod(channel, 4)
        top, left = row * (2 + place.pad), column * (3 + place.pad)
        expected = np.floor(array[0, channel] / array.max() * 256).clip(0, 255)
        np.testing.assert_allclose(grey[top : top + 2, left : left + 3], expected, atol=1)


def test_statistics_are_numpys() -> None:
    """We compare those of the layer, and of each channel to six digits."""
    array = maps(1, 3, 8, 8)
    array[0, 1, :2] = 0
    found = view(values({"output": array}))
    assert found.statistics.minimum == array.min()
    assert found.statistics.maximum == array.max()
    assert found.statistics.mean == pytest.approx(array.mean(), abs=1e-6)
    assert found.statistics.deviation == pytest.approx(array.std(), rel=1e-5)
    assert found.statistics.zeros == 16 / array.size
    np.testing.assert_allclose(found.channels.mean, array[0].mean((1, 2)), rtol=1e-4)
    np.testing.assert_allclose(found.channels.variance, array[0].var((1, 2)), rtol=1e-4)
    assert found.channels.zeros == (0, 0.25, 0)


STRANGE = {
    "NaN and Inf": [[[[1.0, NAN], [INF, -INF]]]],
    "nothing finite": [[[[NAN, NAN], [INF, -INF]]]],
    "constant": [[[[3.0, 3.0], [3.0, 3.0]]]],
    "one number": 2.5,
    "one value": [[1.0]],
    "vector": [[1.0, -2.0, 3.0]],
    "booleans": [[[[True, False], [False, False]]]],
    "all true": [[[[True, True]]]],
    "integers": [[[[1, 2], [3, 4]]]],
    "bytes": np.zeros((1, 2, 3, 3), np.uint8),
    "complex": [[[[1 + 2j, 0], [1j, -1]]]],
    "huge doubles": [[[[-1.7e308, 1.7e308]]]],
    "smallest numbers": [[[[5e-324, 0.0]]]],
    "signal": maps(1, 4, 20),
    "volume": maps(1, 2, 3, 4, 5),
    "many channels": maps(1, 1000, 1, 1),
}


@pytest.mark.parametrize("array", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize("scale", ["layer", "channel", "clipped"])
def test_whatever_has_values_is_drawn_and_told_in_plain_json(array: Any, scale: str) -> None:
    """Strict JSON, which has no NaN and no Infinity, and a picture that can be decoded."""
    found = view(values({"output": array}), scale=scale)
    facts = json.loads(json.dumps(as_plain(found.facts()), allow_nan=False))
    assert facts["geometry"]["channels"] == found.geometry.channels
    with Image.open(io.BytesIO(found.png)) as picture:
        picture.load()
        assert picture.size == (found.geometry.width, found.geometry.height)
    assert "png" not in facts


SORTED = {
    "mean": lambda maps: maps.mean((1, 2)),
    "maximum": lambda maps: maps.max((1, 2)),
    "variance": lambda maps: maps.var((1, 2)),
    "zeros": lambda maps: (maps == 0).mean((1, 2)),
}


@pytest.mark.parametrize(("order", "figure"), SORTED.items(), ids=SORTED)
def test_channels_are_sorted_by_a_figure_of_theirs(order: str, figure: Any) -> None:
    """The largest first; the mosaic is drawn in that order, and says so."""
    array = maps(1, 7, 4, 4) * np.arange(1, 8, dtype=np.float32)[:, None, None]
    array[0, 3, :2] = array[0, 5, :1] = 0
    found = view(values({"output": array}), order=order)
    expected = np.argsort(-figure(array[0]), kind="stable").tolist()
    assert list(found.geometry.order) == expected
    assert bits(found.png) == bits(render_mosaic(array[0], colormap="auto", order=expected).png)


def test_the_largest_first_begins_with_infinity_and_ends_with_what_is_no_number() -> None:
    """A channel with ∞ has the largest maximum there is, whatever finite values stand beside it."""
    array = np.stack([np.full((2, 2), each, np.float32) for each in (1, NAN, 3, 2)])[None]
    array[0, 3, 0, 0] = INF
    assert list(view(values({"output": array}), order="maximum").geometry.order) == [3, 2, 0, 1]


def test_the_colours_of_odd_values_are_told_as_they_are_drawn() -> None:
    """NaN, ∞ and −∞: the pixels of a map that has each of them."""
    array = np.array([[[[NAN, INF, -INF, 1]]]], np.float32)
    found = view(values({"output": array}))
    pixels = np.asarray(Image.open(io.BytesIO(found.png)).convert("RGB"))[0, :3]
    assert found.odd_colours == tuple("#" + bytes(pixel).hex() for pixel in pixels)


def test_channels_keep_their_order_unless_told_otherwise() -> None:
    """The view then says nothing about the order."""
    assert view(values({"output": maps(1, 7, 4, 4)})).geometry.order == ()


def test_clipped_colours_leave_out_one_value_in_a_hundred_at_each_end() -> None:
    """A few extreme values do not take all the colours."""
    array = np.arange(10_000, dtype=np.float32).reshape(1, 4, 50, 50)
    array[0, 0, 0, 0], array[0, 3, 49, 49] = -1e6, 1e6
    found = view(values({"output": array}), scale="clipped", colormap="viridis")
    assert (found.vmin, found.vmax) == pytest.approx((99, 9899), abs=2)
    assert (found.statistics.minimum, found.statistics.maximum) == (-1e6, 1e6)


def test_numbers_that_are_none_are_counted() -> None:
    """The statistics are of the finite values; what is not finite is counted by kind."""
    found = view(values({"output": STRANGE["NaN and Inf"]})).statistics
    assert (found.minimum, found.maximum, found.mean) == (1, 1, 1)
    assert (found.nan, found.positive_infinities, found.negative_infinities) == (1, 1, 1)


def test_the_first_tensor_is_drawn_unless_another_one_is_named() -> None:
    """Another tensor is named by its path in what the layer returned."""
    found = values({"output[0]": maps(1, 2, 4, 4), "output[1].hidden": maps(1, 3, 5, 5)})
    first, second = view(found), view(found, leaf="output[1].hidden")
    assert (first.leaf, first.geometry.channels) == ("output[0]", 2)
    assert (second.leaf, second.geometry.channels) == ("output[1].hidden", 3)
    assert first.leaves[:2] == ("output[0]", "output[1].hidden")


def test_inputs_are_drawn_on_request() -> None:
    """``inputs`` alone means the first of them."""
    found = values({"output": maps(1, 2, 4, 4), "inputs[0]": maps(1, 3, 4, 4), "inputs[1]": maps(1, 5, 4, 4)})
    assert view(found, leaf="inputs").geometry.channels == 3
    assert view(found, leaf="inputs[1]").geometry.channels == 5
    assert view(found).geometry.channels == 2


def test_each_call_has_a_view_of_its_own() -> None:
    """Told by number, counted from 0, out of how many."""
    found = values({"output": maps(1, 2, 4, 4)}, {"output": maps(1, 3, 4, 4)})
    second = view(found, call=1)
    assert (second.call, second.calls, second.geometry.channels) == (1, 2, 3)


def test_each_row_of_a_batch_has_a_view_of_its_own() -> None:
    """Told by number, out of how many; numbers are those of this row alone, colours those of all rows."""
    array = maps(3, 2, 4, 4)
    found = view(values({"output": array}), row=2)
    assert (found.row, found.rows, found.shape) == (2, 3, (3, 2, 4, 4))
    everything = (-np.abs(array).max(), np.abs(array).max())
    assert bits(found.png) == bits(render_mosaic(array[2], colormap="auto", scale=everything).png)
    assert found.statistics.maximum == pytest.approx(float(array[2].max()))


REFUSED: dict[str, tuple[LayerValues, dict[str, Any], type[Exception], str]] = {
    "no such call": (values({"output": maps(1, 1, 2, 2)}), {"call": 1}, CallError, "ran once"),
    "a call before the first": (values({"output": maps(1, 1, 2, 2)}), {"call": -1}, CallError, "no call 0"),
    "never ran": (values(), {}, CallError, "has no output"),
    "no tensor": (values({}), {}, LayoutError, "returned no tensor"),
    "no input": (
        values({"output": maps(1, 1, 2, 2)}),
        {"leaf": "inputs"},
        LayoutError,
        "was given no tensor",
    ),
    "no such tensor": (values({"output": maps(1, 1, 2, 2)}), {"leaf": "output[3]"}, RequestError, "output"),
    "nothing in it": (values({"output": maps(1, 0, 2, 2)}), {}, LayoutError, "nothing"),
    "colormap": (values({"output": maps(1, 1, 2, 2)}), {"colormap": "virids"}, RequestError, "viridis"),
    "scale": (values({"output": maps(1, 1, 2, 2)}), {"scale": "loud"}, RequestError, "scale"),
    "order": (values({"output": maps(1, 1, 2, 2)}), {"order": "beauty"}, RequestError, "mean"),
    "kind": (values({"output": maps(1, 1, 2, 2)}), {"kind": "cloud"}, RequestError, "cloud"),
    "row": (values({"output": maps(2, 1, 3, 2)}), {"row": 2}, RequestError, "rows 0 to 1"),
    "slice": (values({"output": maps(1, 1, 3, 2, 2)}), {"index": 5}, RequestError, "5"),
}


@pytest.mark.parametrize(("found", "more", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_drawn_is_refused_in_words(
    found: LayerValues, more: dict[str, Any], error: type[Exception], message: str
) -> None:
    """Each refusal says what is true, or what to do."""
    with pytest.raises(error, match=message):
        view(found, **more)


def test_a_tensor_that_is_no_array_says_why() -> None:
    """The reason that was noted when it was captured."""
    leaf = Leaf(np.empty(0, np.float32), "float32", "a nested tensor has no one shape")
    with pytest.raises(LayoutError, match=r"block\.conv: a nested tensor"):
        view(LayerValues("block.conv", "Odd", "cpu", ({"output": leaf},)))


def test_a_view_of_training_mode_says_so() -> None:
    """In its note, with the seed, and in every language; a view of evaluation mode says nothing of modes."""
    found = values({"output": maps(1, 2, 3, 4)})
    note = view(found, training=7).note
    assert note == f"{view(found).note} · in training mode, seed 7"
    assert isinstance(note, Sentence)


@pytest.mark.parametrize("scale", ["layer", "clipped"])
@pytest.mark.parametrize("axis", [0, 2])
def test_one_scale_for_the_layer_is_that_of_all_its_rows_and_slices(scale: str, axis: int) -> None:
    """A colour stands for the same number in any row of a batch, or slice of a volume, that is drawn."""
    array = np.random.default_rng(0).random((1, 2, 1, 6, 6)) * np.ones((3, 1, 1, 1, 1))
    array = np.moveaxis(array * np.array([1, 10, 100]).reshape(3, 1, 1, 1, 1), 0, axis)
    array = array.reshape((3, 2, 6, 6) if axis == 0 else (1, 2, 3, 6, 6)).astype(np.float32)
    found = values({"output": array}, type_="Conv2d" if axis == 0 else "Conv3d")
    ends = np.percentile(array, (1, 99) if scale == "clipped" else (0, 100), method="inverted_cdf")
    for place in range(3):
        drawn = view(found, scale=scale, **{"row" if axis == 0 else "index": place})
        assert (drawn.rows, drawn.slices)[axis // 2] == 3
        assert (drawn.vmin, drawn.vmax) == pytest.approx(ends, rel=1e-6)
        assert drawn.statistics.maximum == pytest.approx(array.max() / 100 ** (1 - place / 2), rel=1e-3)


def test_rows_and_slices_are_counted_from_one_as_their_sliders_count_them() -> None:
    """The first of three slices is slice 1 of 3."""
    assert "slice 1 of 3" in view(values({"output": np.zeros((1, 2, 3, 6, 6), np.float32)})).note


def test_a_clipped_scale_shows_the_few_values_that_differ_from_the_rest() -> None:
    """One value in four hundred: it has the last colour, and all others the first."""
    array = np.zeros((1, 1, 20, 20), np.float32)
    array[0, 0, 3, 7] = 2
    drawn = view(values({"output": array}), scale="clipped", colormap="gray")
    assert (drawn.vmin, drawn.vmax) == (0, 2)
    shades = np.asarray(Image.open(io.BytesIO(drawn.png)).convert("L"))
    assert np.array_equal(shades, np.where(array[0, 0] == 2, 255, 0))
