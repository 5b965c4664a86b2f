"""One scale for the whole model: its limits against every layer by hand, and how they are drawn and said."""

import io
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import Normalize
from PIL import Image

from tests.machine import patience
from tests.viz.subjects import Shelf, by_hand, photo, wanted
from viz.engine.engine import Engine, LocalEngine
from viz.engine.limits import Limits
from viz.errors import RequestError, TooLargeError
from viz.findings.values import LayerValues, Leaf
from viz.take_home.exports import export
from viz.views.model_range import ModelRange
from viz.views.one_layer import Values, View
from viz.views.work.model_range import value_range

WAIT = patience(120)


def extremes(*layers: list[np.ndarray]) -> tuple[float, float]:
    """The smallest and the largest value of all calls."""
    calls = [call for layer in layers for call in layer]
    return min(float(call.min()) for call in calls), max(float(call.max()) for call in calls)


def test_the_limits_are_those_of_all_layers_and_calls(engine: Engine) -> None:
    """Against the net computed by hand; the same for every layer."""
    picture = photo(1)
    expected = extremes(*by_hand(picture).values())
    for layer in ("first", "last"):
        found = engine.do(ModelRange(wanted(picture, layer), picture), visitor="ann").result(WAIT)
        assert found == pytest.approx(expected, rel=1e-5)


def test_every_layer_is_drawn_on_the_models_scale(engine: Engine, shelf: Shelf) -> None:
    """It is symmetric if the model has both signs; colours are matplotlib's; it takes one more pass."""
    picture = photo(2)
    reach = max(map(abs, extremes(*by_hand(picture).values())))
    for layer in ("relu", "second"):
        view = engine.do(View(wanted(picture, layer, scale="model"), picture), visitor="ann").result(WAIT)
        assert (view.vmin, view.vmax) == pytest.approx((-reach, reach), rel=1e-5)
        assert (view.scale, view.beyond, view.colormap) == ("model", 0, "coolwarm")
        maps = (
            engine.do(Values(wanted(picture, layer), picture), visitor="ann").result(WAIT).call(0)["output"]
        )
        expected = mpl.colormaps["coolwarm"](Normalize(view.vmin, view.vmax)(maps.array[0, 0]), bytes=True)
        pixels = np.asarray(Image.open(io.BytesIO(view.png)).convert("RGBA"))
        np.testing.assert_array_equal(pixels[: expected.shape[0], : expected.shape[1]], expected)
    passes = shelf.net.passes
    engine.do(View(wanted(picture, "first", scale="model"), picture), visitor="ann").result(WAIT)
    assert shelf.net.passes == passes + 1  # the layer itself; the limits are known


def test_gradients_have_a_range_of_their_own(engine: Engine) -> None:
    """It is that of all layers' gradients, each captured alone."""
    picture = photo(3)
    gradients = []
    for layer in ("first", "relu", "second", "last"):
        values = engine.do(Values(wanted(picture, layer, gradient=0), picture), visitor="ann").result(WAIT)
        gradients += [call["output"].array for call in values.calls]
    asked = ModelRange(wanted(picture, "first", gradient=0), picture)
    assert engine.do(asked, visitor="ann").result(WAIT) == pytest.approx(extremes(gradients), rel=1e-5)


def test_what_is_not_finite_has_no_part_in_the_range() -> None:
    """Complex values count by magnitude; without any finite value, there is no range."""
    layer = LayerValues(
        "a",
        "Odd",
        "cpu",
        (
            {"output": Leaf(np.array([[1.0, np.nan, np.inf]], np.float32), "float32")},
            {"output[0]": Leaf(np.array([[3 - 4j]], np.complex64), "complex64")},
            {"output": Leaf(np.array([[np.nan]], np.float32), "float32")},
            {"inputs[0]": Leaf(np.array([[-99.0]], np.float32), "float32")},
        ),
    )
    assert value_range(layer) == (1.0, 5.0)
    assert value_range(replace(layer, calls=layer.calls[2:])) is None


def test_what_would_take_too_much_is_refused(local_shelf: Shelf) -> None:
    """All layers at once are refused where one alone is allowed."""
    limits = Limits(capture=2000)  # bytes: the layer takes 1,728, all of them 2,736
    engine = LocalEngine(local_shelf, device="cpu", limits=limits)
    picture = photo(1)
    engine.do(View(wanted(picture, "second"), picture), visitor="ann").result(WAIT)
    with pytest.raises(TooLargeError, match="all layers of counting"):
        engine.do(View(wanted(picture, "second", scale="model"), picture), visitor="ann").result(WAIT)
    engine.close()


def test_a_task_about_another_picture_is_refused(engine: Engine) -> None:
    """Otherwise its answer would be cached under the wrong name."""
    with pytest.raises(RequestError, match="a different picture"):
        engine.do(ModelRange(wanted(photo(1), "first"), photo(2)), visitor="ann")


def test_a_figure_has_the_models_scale_and_says_so() -> None:
    """The title says so; without the limits, the figure is refused."""
    values = LayerValues("first", "Conv2d", "cpu", ({"output": Leaf(np.ones((1, 2, 3, 3)), "float64")},))
    request = wanted(photo(1), "first", scale="model")
    assert b"one scale for the whole model" in export("svg", values, request, (-2.0, 3.0))
    with pytest.raises(RequestError, match="limits"):
        export("svg", values, request)
