"""viz/maps/colour.py against matplotlib's own arithmetic."""

from collections.abc import Callable

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import Normalize
from numpy.typing import NDArray

from viz.errors import LayoutError, RequestError
from viz.maps.colour import (
    AUTO_ON_DARK,
    COLORMAPS,
    DIVERGING,
    SIGNED_ON_DARK,
    checked_maps,
    colour_stops,
    colour_table,
    end_colours,
    is_diverging,
    levels,
    scaling,
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


@pytest.mark.parametrize("name", COLORMAPS)
def test_offered_colormaps_exist_and_end_in_their_own_colours(name: str) -> None:
    """Values below or above have the end's colour in each of them, so clipping is exact."""
    palette = mpl.colormaps[name]
    table = colour_table(name)
    assert tuple(table[0]) == palette(-1.0, bytes=True)
    assert tuple(table[-1]) == palette(2.0, bytes=True)


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


def test_a_layer_without_finite_values_is_called_constant() -> None:
    """There is no range at all, and no warning either."""
    assert scaling(np.full((1, 2, 2), np.nan), "viridis", "layer") == ("viridis", 0.0, 0.0, True)


@pytest.mark.parametrize("scale", ["tile", (1,), (2, 1), (0, np.nan), ("a", "b"), 5, (0, 1, 2), None])
def test_an_unknown_scale_is_refused(scale: object) -> None:
    """The message says which scales there are."""
    with pytest.raises(RequestError, match="scale"):
        scaling(NOISE, "viridis", scale)  # type: ignore[arg-type]


def test_a_misspelt_colormap_is_answered_with_near_names() -> None:
    """The visitor sees what was meant."""
    with pytest.raises(RequestError, match="no colormap named 'viridus'; did you mean viridis"):
        colour_table("viridus")


REFUSED: dict[str, Callable[[], object]] = {
    "complex": lambda: np.ones((1, 2, 2), dtype=complex),
    "words": lambda: [["a", "b"]],
    "ragged": lambda: [[1], [1, 2]],
    "no dimension": lambda: np.ones(()),
    "four dimensions": lambda: np.ones((1, 1, 2, 2)),
    "no channels": lambda: np.ones((0, 2, 2)),
    "no width": lambda: np.ones((2, 2, 0)),
    "masked": lambda: np.ma.masked_invalid(np.ones((1, 2, 2))),
    "None": lambda: None,
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_set_of_maps_is_refused(case: str) -> None:
    """One sentence about what is drawn instead."""
    with pytest.raises(LayoutError):
        checked_maps(REFUSED[case]())


def test_one_map_counts_as_one_channel() -> None:
    """It is not copied."""
    values = np.ones((2, 3))
    assert checked_maps(values).shape == (1, 2, 3)
    assert np.shares_memory(checked_maps(values), values)


@pytest.mark.parametrize("colormap", COLORMAPS)
def test_the_colours_of_a_legend_are_those_of_the_values(colormap: str) -> None:
    """The lowest, the one in the middle and the highest, as matplotlib draws them."""
    palette = mpl.colormaps[colormap]
    assert end_colours(colormap) == tuple(
        f"#{bytes(palette(value, bytes=True)[:3]).hex()}" for value in (0.0, 0.5, 1.0)
    )


def luminance(table: np.ndarray) -> np.ndarray:
    """The relative luminance of each colour, as WCAG defines it."""
    parts = table[:, :3] / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    found: np.ndarray = linear @ [0.2126, 0.7152, 0.0722]
    return found


def test_the_middle_is_dark_and_both_ends_are_light() -> None:
    """The middle is hardly lighter than a dark page; the ends stand out from it as text does."""
    light = luminance(colour_table(SIGNED_ON_DARK))
    assert light[127:129].max() < 0.03
    assert (light[[0, -1]] + 0.05).min() / (light[127] + 0.05) > 7


def test_each_arm_becomes_lighter_with_its_distance_from_zero() -> None:
    """A reader who sees no hues still sees which of two values of one sign is the larger one."""
    light = luminance(colour_table(SIGNED_ON_DARK))
    assert (np.diff(light[128:]) > 0).all()
    assert (np.diff(light[127::-1]) > 0).all()


def test_a_value_and_its_negative_are_about_equally_light() -> None:
    """Neither sign stands out by its lightness."""
    light = luminance(colour_table(SIGNED_ON_DARK))
    np.testing.assert_allclose(light, light[::-1], rtol=0.25, atol=0.005)


def test_negative_values_are_blue_and_positive_ones_are_red_as_on_paper() -> None:
    """A reader who prints a map must not have to learn the colours anew."""
    red, _, blue = colour_table(SIGNED_ON_DARK)[:, :3].astype(int).T
    assert (blue[:120] > red[:120]).all()
    assert (red[136:] > blue[136:]).all()


@pytest.mark.parametrize(("low", "high", "chosen"), [(-1.0, 2.0, SIGNED_ON_DARK), (0.0, 2.0, "viridis")])
def test_the_automatic_colours_of_a_dark_page_follow_the_signs(low: float, high: float, chosen: str) -> None:
    """Both signs are drawn around the dark middle; the rest as on a light page."""
    found = scaling(np.array([[[low, high]]]), AUTO_ON_DARK, "layer")
    assert found.colormap == chosen
    assert is_diverging(chosen) == (found.vmin == -found.vmax)
    assert len(colour_table(chosen)) == 256


@pytest.mark.parametrize("colormap", [*COLORMAPS, SIGNED_ON_DARK])
def test_the_stops_of_a_colormap_are_a_gradient_that_looks_like_it(colormap: str) -> None:
    """Between them, browsers mix: no colour is off by more than eyes can tell beside a map."""
    stops = [[int(stop[n : n + 2], 16) for n in (1, 3, 5)] for stop in colour_stops(colormap)]
    places = np.linspace(0, 255, len(stops)).round()
    mixed = np.stack([np.interp(np.arange(256), places, part) for part in np.array(stops).T], axis=1)
    assert np.abs(mixed - colour_table(colormap)[:, :3]).max() <= 16
