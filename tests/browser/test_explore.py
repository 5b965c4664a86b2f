"""Channels in any order, on any scale, in any colours; how their values are spread; what is read aloud."""

import re

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import Normalize
from playwright.sync_api import Page, expect

from tests.browser.oracle import assert_colours, lenet_outputs
from tests.browser.pictures import photo
from tests.browser.steps import (
    choose,
    click_tile,
    drawing,
    expect_another_picture,
    facts,
    maps,
    pixels,
    press,
    visit_with_photo,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED = 61
ORDERS = {
    "by mean": lambda maps: maps.mean((1, 2)),
    "by maximum": lambda maps: maps.max((1, 2)),
    "by variance": lambda maps: maps.var((1, 2)),
    "by share of zeros": lambda maps: (maps == 0).mean((1, 2)),
}


@pytest.fixture
def own_photo(page: Page, server: str) -> Page:
    """A page on LeNet's second ReLU, whose maps have zeros, for an own photo."""
    return visit_with_photo(page, server, SEED, model="lenet", layer="relu2")


def pick(page: Page, box: str, option: str) -> None:
    """Choose how the maps are drawn, and wait until they are."""
    before = drawing(page)
    choose(page, box, option)
    expect_another_picture(page, before)


@pytest.mark.parametrize("order", ORDERS)
def test_channels_stand_in_the_order_of_their_own_figures(own_photo: Page, order: str) -> None:
    """Largest first, for the keys as well; every pixel is right in its new place."""
    relu2 = lenet_outputs(photo(SEED))["relu2"]
    pick(own_photo, "order", order)
    drawn = facts(own_photo)
    figures = ORDERS[order](relu2)[drawn["geometry"]["order"]]
    assert (np.diff(figures) <= 1e-5 * abs(figures).max()).all()
    assert_colours(pixels(maps(own_photo)), relu2, drawn)
    first, second = drawn["geometry"]["order"][:2]
    click_tile(own_photo, 0)  # the first tile, whichever channel stands there
    expect(own_photo.locator(".lg-channel-title")).to_have_text(f"channel {first}")
    press(own_photo, "ArrowDown")
    expect(own_photo.locator(".lg-channel-title")).to_have_text(f"channel {second}")


def test_each_channel_can_have_a_scale_of_its_own(own_photo: Page) -> None:
    """Every map from its own minimum to its own maximum, and the page warns of comparing them."""
    relu2 = lenet_outputs(photo(SEED))["relu2"]
    pick(own_photo, "scale", "one per channel")
    expect(own_photo.locator(".lg-note")).to_contain_text("each map on its own scale")
    drawn, shown = facts(own_photo), pixels(maps(own_photo))
    side = drawn["geometry"]["tile_width"]
    for channel, values in enumerate(relu2):
        limits = drawn["vmin"][channel], drawn["vmax"][channel]
        np.testing.assert_allclose(limits, (values.min(), values.max()), rtol=1e-4, atol=1e-6)
        top, left = (place * (side + 1) for place in divmod(channel, drawn["geometry"]["columns"]))
        colours = mpl.colormaps[drawn["colormap"]](Normalize(*limits)(values), bytes=True)
        np.testing.assert_array_equal(shown[top : top + side, left : left + side], colours)


@pytest.mark.parametrize(("colormap", "low"), [("magma", 0), ("seismic", -1)])
def test_colours_are_matplotlibs_and_diverging_ones_have_zero_in_the_middle(
    own_photo: Page, colormap: str, low: int
) -> None:
    """A ReLU's values begin at zero; a diverging colormap still reaches as far below zero as above."""
    relu2 = lenet_outputs(photo(SEED))["relu2"]
    pick(own_photo, "colormap", colormap)
    drawn = facts(own_photo)
    assert drawn["colormap"] == colormap
    limits = (drawn["vmin"], drawn["vmax"])
    np.testing.assert_allclose(limits, (low * relu2.max(), relu2.max()), rtol=1e-4, atol=1e-6)
    assert_colours(pixels(maps(own_photo)), relu2, drawn)


def test_the_histogram_shows_the_layer_and_the_channel_in_the_same_bins(own_photo: Page) -> None:
    """NumPy counts the values; heights grow with the logarithm of the counts."""
    relu2 = lenet_outputs(photo(SEED))["relu2"]
    click_tile(own_photo, 5)
    line = own_photo.locator(".lg-histogram .lg-line")
    line.wait_for(state="attached")
    bins, limits = len(facts(own_photo)["histogram"]), (float(relu2.min()), float(relu2.max()))
    for path, values in ((own_photo.locator(".lg-histogram .lg-bars"), relu2), (line, relu2[5])):
        ends = re.findall(r"L[\d.]+ ([\d.]+)", path.get_attribute("d") or "")
        counts = np.histogram(values, bins, limits)[0]
        heights = 56 * (1 - np.log1p(counts) / np.log1p(counts.max()))
        np.testing.assert_allclose(np.array(ends[: 2 * bins : 2], float), heights, atol=0.06)
    expect(own_photo.locator(".lg-histogram")).to_have_attribute("aria-label", re.compile("."))


def test_what_is_read_aloud_says_layer_shape_and_statistics(own_photo: Page) -> None:
    """Both the mosaic's text and that of the chosen channel's large map."""
    relu2 = lenet_outputs(photo(SEED))["relu2"]
    aloud = str(maps(own_photo).get_attribute("alt"))
    assert aloud.startswith("Feature maps of relu2, 1 × 16 × 10 × 10, minimum 0, ")
    assert f"maximum {relu2.max():.4g}" in aloud
    assert f"mean {relu2.mean():.4g}" in aloud
    assert f"zeros {100 * (relu2 == 0).mean():.3g}" in aloud
    click_tile(own_photo, 3)
    expect(own_photo.locator(".lg-channel-title")).to_have_text("channel 3")
    aloud = str(own_photo.locator(".lg-panel .lg-large").get_attribute("aria-label"))
    assert aloud.startswith("channel 3, ")
    assert f"{relu2[3].max():.4g}" in aloud
