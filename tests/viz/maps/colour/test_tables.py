"""Tables of colours against matplotlib's, and our own on dark pages."""

import matplotlib as mpl
import numpy as np
import pytest

from viz.errors import RequestError
from viz.maps.colour.tables import (
    COLORMAPS,
    SIGNED_ON_DARK,
    STEPS,
    STRETCHED,
    check_colormap,
    colour_stops,
    colour_table,
    diverging_colormap,
    end_colours,
    is_diverging,
    plain_colormap,
    printed_colormap,
    signed_colormap,
    stretching,
)


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


def rooted(name: str, values: np.ndarray) -> np.ndarray:
    """The places in a palette, from 0 to 1, of values whose limits are -1 or 0, and 1."""
    return (1 + np.sign(values) * np.sqrt(np.abs(values))) / 2 if is_diverging(name) else np.sqrt(values)


@pytest.mark.parametrize("name", [*COLORMAPS, SIGNED_ON_DARK])
def test_a_stretched_colormap_follows_the_square_root_of_values(name: str) -> None:
    """Its colours are those of the colormap, in their order, at other places."""
    values = np.linspace(-1 if is_diverging(name) else 0, 1, STEPS, endpoint=False)
    expected = mpl.colors.ListedColormap(colour_table(name) / 255)(rooted(name, values), bytes=True)
    np.testing.assert_array_equal(colour_table(name + STRETCHED), expected)


@pytest.mark.parametrize("name", [*COLORMAPS, SIGNED_ON_DARK])
def test_no_and_strongest_values_keep_their_colours_when_stretched(name: str) -> None:
    """The ends differ by no more than one colour of the palette."""
    plain, found = colour_table(name), colour_table(name + STRETCHED)
    zero = len(plain) // 2 if is_diverging(name) else 0
    assert (found[STEPS // 2 if is_diverging(name) else 0] == plain[zero]).all()
    assert (found[0] == plain[0]).all()
    assert (found[-1] == plain[-1]).all()


def test_a_weak_value_stands_out_when_stretched() -> None:
    """A hundredth of the largest value is a tenth of the way to its colour."""
    places = stretching("viridis" + STRETCHED)
    assert places[STEPS // 100] == pytest.approx(256 / 10, abs=1)
    assert stretching("coolwarm" + STRETCHED)[STEPS // 2 + STEPS // 200] == pytest.approx(
        128 + 128 / 10, abs=1
    )


def test_colormaps_that_follow_from_the_values_stay_stretched() -> None:
    """On a light page, on a dark one, on paper, and where a difference needs a middle."""
    assert signed_colormap("auto_root") == "coolwarm_root"
    assert signed_colormap("auto-on-dark_root") == "coolwarm_on_dark_root"
    assert plain_colormap("auto_root") == plain_colormap("auto-on-dark_root") == "viridis_root"
    assert printed_colormap("coolwarm_on_dark_root") == "coolwarm_root"
    assert diverging_colormap("magma_root") == "coolwarm_root"
    assert diverging_colormap("PuOr_root") == "PuOr_root"


@pytest.mark.parametrize("name", ["auto", "auto_root", "viridis_root", "magma_r_root"])
def test_a_colormap_that_there_is_passes(name: str) -> None:
    """Stretched or not."""
    check_colormap(name)


def test_a_misspelt_stretched_colormap_is_answered_with_near_names() -> None:
    """Those of matplotlib."""
    with pytest.raises(RequestError, match="viridis"):
        check_colormap("viridus_root")
