"""Tables of colours against matplotlib's, and our own on dark pages."""

import matplotlib as mpl
import numpy as np
import pytest

from viz.errors import RequestError
from viz.maps.colour.tables import COLORMAPS, SIGNED_ON_DARK, colour_stops, colour_table, end_colours


@pytest.mark.parametrize("name", COLORMAPS)
def test_offered_colormaps_exist_and_end_in_their_own_colours(name: str) -> None:
    """Values below or above have the end's colour in each of them, so clipping is exact."""
    palette = mpl.colormaps[name]
    table = colour_table(name)
    assert tuple(table[0]) == palette(-1.0, bytes=True)
    assert tuple(table[-1]) == palette(2.0, bytes=True)


def test_a_misspelt_colormap_is_answered_with_near_names() -> None:
    """The visitor sees what was meant."""
    with pytest.raises(RequestError, match="no colormap named 'viridus'; did you mean viridis"):
        colour_table("viridus")


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


@pytest.mark.parametrize("colormap", [*COLORMAPS, SIGNED_ON_DARK])
def test_the_stops_of_a_colormap_are_a_gradient_that_looks_like_it(colormap: str) -> None:
    """Between them, browsers mix: no colour is off by more than eyes can tell beside a map."""
    stops = [[int(stop[n : n + 2], 16) for n in (1, 3, 5)] for stop in colour_stops(colormap)]
    places = np.linspace(0, 255, len(stops)).round()
    mixed = np.stack([np.interp(np.arange(256), places, part) for part in np.array(stops).T], axis=1)
    assert np.abs(mixed - colour_table(colormap)[:, :3]).max() <= 16
