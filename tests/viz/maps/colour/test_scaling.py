"""Limits and levels against matplotlib's own arithmetic."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import Normalize
from numpy.typing import NDArray

from viz.errors import RequestError
from viz.maps.colour.scaling import levels, scaling
from viz.maps.colour.tables import (
    AUTO_ON_DARK,
    DIVERGING,
    SIGNED_ON_DARK,
    colour_table,
    is_diverging,
)

RNG = np.random.default_rng(7)
NOISE = RNG.standard_normal((3, 17, 23))
CASES: dict[str, NDArray[np.generic]] = {
    "float64": NOISE,
    "float32": NOISE.astype(np.float32),
    "float16": NOISE.astype(np.float16),
    "big-endian": NOISE.astype(">f4"),
    "negative": -np.abs(NOISE),
    "constant": np.full((3, 4, 5), -3.25, dtype=np.float32),
    "denormal32": (np.abs(NOISE) * 1e-44).astype(np.float32),
    "denormal64": np.abs(NOISE) * 1e-322,
    "huge32": (NOISE * 5e37).astype(np.float32),
    "huge64": NOISE * 1e307,
    "tiny range on an offset": (1e6 + NOISE).astype(np.float32),
    "bool": NOISE > 0,
    "uint8": RNG.integers(0, 256, (3, 17, 23), dtype=np.uint8),
    "int64": RNG.integers(-(2**62), 2**62, (3, 17, 23)),
    "borders": np.linspace(0, 1, 257, dtype=np.float32).reshape(1, 1, 257),
    "near borders": np.nextafter(np.linspace(0, 1, 257), 0).reshape(1, 1, 257),
}


def matplotlib_colours(values: NDArray[np.generic], low: float, high: float, name: str) -> NDArray[np.uint8]:
    """RGBA bytes from matplotlib itself."""
    with np.errstate(over="ignore"):
        colours: NDArray[np.uint8] = mpl.colormaps[name](Normalize(low, high)(values), bytes=True)
    return colours


@pytest.mark.parametrize("name", ["viridis", "hot", "gray", "berlin", "tab10", "twilight"])
@pytest.mark.parametrize("case", CASES)
def test_levels_give_the_colours_that_matplotlib_gives(case: str, name: str) -> None:
    """Every dtype and range, down to the last bit."""
    values, table = CASES[case], colour_table(name)
    low, high = float(values.min()), float(values.max())
    ours = table[levels(values, low, high, len(table))]
    assert np.array_equal(ours, matplotlib_colours(values, low, high, name))


@pytest.mark.parametrize("limits", [(-0.5, 0.7), (0.0, 0.0), (-1e-3, 50.0)])
def test_values_beyond_a_locked_scale_get_the_end_colours(limits: tuple[float, float]) -> None:
    """Matplotlib's colormaps do the same with values under and over."""
    ours = colour_table("viridis")[levels(NOISE, *limits, 256)]
    assert np.array_equal(ours, matplotlib_colours(NOISE, *limits, "viridis"))


def test_each_channel_can_have_its_own_limits() -> None:
    """Limits as arrays are the same as drawing the channels one by one."""
    values = NOISE.astype(np.float32) * np.array([1, 100, 0], dtype=np.float32)[:, None, None]
    found = scaling(values, "viridis", "channel")
    assert isinstance(found.vmin, np.ndarray)
    assert isinstance(found.vmax, np.ndarray)
    together = levels(values, found.vmin, found.vmax, 256)
    alone = [levels(row[None], float(row.min()), float(row.max()), 256)[0] for row in values]
    assert np.array_equal(together, alone)


def test_a_range_beyond_the_largest_double_is_still_drawn() -> None:
    """Matplotlib draws nothing there; we keep the order of the values."""
    values = np.array([[[-1.7e308, 0.0, 1.7e308]]])
    assert levels(values, -1.7e308, 1.7e308, 256).ravel().tolist() == [0, 128, 255]


def test_auto_is_viridis_for_one_sign_and_diverging_for_both() -> None:
    """The choice follows the finite values only."""
    assert scaling(np.abs(NOISE), "auto", "layer").colormap == "viridis"
    assert scaling(-np.abs(NOISE), "auto", "layer").colormap == "viridis"
    assert is_diverging(scaling(NOISE, "auto", "layer").colormap)
    assert scaling(np.array([[[1.0, -np.inf]]]), "auto", "layer").colormap == "viridis"


@pytest.mark.parametrize("name", [*DIVERGING, "bwr", "RdBu"])
def test_diverging_limits_are_symmetric_around_zero(name: str) -> None:
    """The neutral colour belongs to zero, for the layer and for each channel."""
    values = NOISE - 1.0
    layer, channel = scaling(values, name, "layer"), scaling(values, name, "channel")
    assert layer.vmax == -layer.vmin == np.abs(values).max()  # type: ignore[operator]
    assert np.array_equal(channel.vmax, np.abs(values).max(axis=(1, 2)))
    assert np.array_equal(channel.vmax, -channel.vmin)


@pytest.mark.parametrize("locked", [(-3.0, 1.0), (-1.0, 3.0), (1.0, 3.0), (-3.0, -1.0)])
@pytest.mark.parametrize("name", ["auto", "coolwarm"])
def test_a_locked_scale_leaves_zero_in_the_middle_of_a_diverging_map(
    name: str, locked: tuple[float, float]
) -> None:
    """It is made as wide as its larger end; other colormaps take it as it is."""
    found = scaling(NOISE, name, locked)
    assert (found.vmin, found.vmax) == (-3.0, 3.0)
    assert levels(np.zeros((1, 1, 1)), found.vmin, found.vmax, 256).item() == 128
    assert scaling(NOISE, "viridis", locked)[1:3] == locked


def test_zeros_keep_the_neutral_colour_of_a_diverging_map() -> None:
    """A dead layer is neither strongly negative nor strongly positive."""
    zeros = np.zeros((2, 3, 3))
    found = scaling(zeros, "coolwarm", "layer")
    assert levels(zeros, found.vmin, found.vmax, 256).ravel()[0] == 128
    assert found.constant


def test_limits_come_from_finite_values_only() -> None:
    """NaN and infinities do not stretch the scale; a channel without finite values gets 0 and 0."""
    values = np.array([[[np.nan, 1.0]], [[np.inf, -2.0]], [[np.nan, -np.inf]]])
    layer, channel = scaling(values, "viridis", "layer"), scaling(values, "viridis", "channel")
    assert (layer.vmin, layer.vmax, layer.constant) == (-2.0, 1.0, False)
    assert np.array_equal(channel.vmin, [1, -2, 0])
    assert np.array_equal(channel.vmax, [1, -2, 0])


@pytest.mark.parametrize("scale", ["layer", (0.0, 0.0)])
def test_a_layer_without_finite_values_is_not_called_constant(scale: str | tuple[float, float]) -> None:
    """There is no range at all, and no warning either."""
    for values in ([np.nan, np.nan], [np.inf, -np.inf]):
        assert scaling(np.array([[values]]), "viridis", scale) == ("viridis", 0.0, 0.0, False)


@pytest.mark.parametrize("scale", ["tile", (1,), (2, 1), (0, np.nan), ("a", "b"), 5, (0, 1, 2), None])
def test_an_unknown_scale_is_refused(scale: object) -> None:
    """The message says which scales there are."""
    with pytest.raises(RequestError, match="scale"):
        scaling(NOISE, "viridis", scale)  # type: ignore[arg-type]


@pytest.mark.parametrize(("low", "high", "chosen"), [(-1.0, 2.0, SIGNED_ON_DARK), (0.0, 2.0, "viridis")])
def test_the_automatic_colours_of_a_dark_page_follow_the_signs(low: float, high: float, chosen: str) -> None:
    """Both signs are drawn around the dark middle; the rest as on a light page."""
    found = scaling(np.array([[[low, high]]]), AUTO_ON_DARK, "layer")
    assert found.colormap == chosen
    assert is_diverging(chosen) == (found.vmin == -found.vmax)
    assert len(colour_table(chosen)) == 256


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_no_level_is_beyond_the_last_in_any_precision(kind: type[np.floating]) -> None:
    """Half precision has no 4,095: its neighbours are 4,094 and 4,096."""
    found = levels(np.linspace(0, 1, 5000, dtype=kind).reshape(1, 1, -1), 0.0, 1.0, 4096)
    assert (found.min(), found.max()) == (0, 4095)
