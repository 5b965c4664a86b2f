"""One channel: what the pointer shows, the large map, exact values, the map over the picture."""

import re

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import Normalize
from playwright.sync_api import Page, Route, expect

from tests.browser.oracle import lenet_outputs
from tests.browser.pictures import photo
from tests.browser.steps import (
    click_tile,
    drawn_on,
    facts,
    maps,
    press,
    settle,
    tile_centre,
    visit,
    visit_with_photo,
)
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LARGE = ".lg-large"


@pytest.fixture
def own_photo(page: Page, server: str) -> Page:
    """A page on LeNet's second convolution for the photo with seed 21."""
    return visit_with_photo(page, server, 21, model="lenet", layer="conv2")


def test_the_pointer_tells_a_channel_and_its_statistics(own_photo: Page) -> None:
    """Minimum, maximum, mean and share of zeros of the map under the pointer."""
    own = lenet_outputs(photo(21))["conv2"][6]
    x, y = tile_centre(own_photo, 6)
    maps(own_photo).hover(position={"x": x, "y": y})
    told = own_photo.locator(".lg-status")
    expect(told).to_contain_text("channel 6")
    numbers = [_number(text) for text in re.findall(r"[−\d.]+(?:e[+−\d]+)?", told.inner_text())]
    np.testing.assert_allclose(numbers[1:4], [own.min(), own.max(), own.mean()], rtol=2e-3)


def test_a_click_shows_the_map_large_with_exact_values(own_photo: Page) -> None:
    """The large map has the channel's colours, and every cell shows its own value."""
    outputs = lenet_outputs(photo(21))["conv2"]
    click_tile(own_photo, 9)
    expect(own_photo.locator(".lg-channel-title")).to_have_text("channel 9")
    expect(own_photo.locator(".lg-axis span")).to_have_text(["0", "9", "0", "9"])
    drawn, canvas = facts(own_photo), own_photo.locator(LARGE)
    colours = colormaps[drawn["colormap"]](Normalize(drawn["vmin"], drawn["vmax"])(outputs[9]), bytes=True)
    np.testing.assert_array_equal(drawn_on(canvas), colours)
    side = canvas.evaluate("canvas => canvas.clientWidth / canvas.width")
    canvas.click()
    own_photo.get_by_role("button", name="All digits").click()
    for row, column in ((0, 0), (4, 7), (9, 9)):
        canvas.hover(position={"x": (column + 0.5) * side, "y": (row + 0.5) * side})
        expect(own_photo.locator(".lg-value")).to_contain_text(f"[9, {row}, {column}] = ")
        value = _number(own_photo.locator(".lg-value").inner_text().split("=")[1])
        assert value == pytest.approx(float(outputs[9, row, column]), rel=1e-5)


def test_values_that_something_newer_pushed_aside_are_asked_for_again(page: Page, server: str) -> None:
    """The pointer reads a number from the large map, and its histogram is drawn."""
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=409)

    page.route("**/values?*", refuse, times=1)
    visit(page, server, model="lenet", layer="conv2", sample="cat", channel="3")
    page.locator(".lg-large").hover(position={"x": 20, "y": 20})
    expect(page.locator(".lg-value")).to_have_text(re.compile(r"^\[3, \d, \d\] = −?[\d.]+"))
    assert len(refused) == 1


def test_the_map_can_be_laid_over_the_picture(own_photo: Page) -> None:
    """The slider lets the picture through; at its left end only the map is visible."""
    slider = own_photo.locator(".lg-overlay input")
    expect(own_photo.locator(".lg-photo")).to_be_hidden()
    slider.fill("0.5")
    expect(own_photo.locator(LARGE)).to_have_css("opacity", "0.5")
    expect(own_photo.locator(".lg-photo")).to_be_visible()
    until(own_photo, "() => document.querySelector('.lg-photo').naturalWidth > 0")
    slider.fill("0")
    expect(own_photo.locator(LARGE)).to_have_css("opacity", "1")


@pytest.mark.parametrize("cell", [(0, 0), (4, 7), (9, 9)])
def test_a_cell_lies_in_the_middle_of_what_it_sees(own_photo: Page, cell: tuple[int, int]) -> None:
    """The cell that is clicked, and the frame around the pixels that it sees, have one middle on screen."""
    own_photo.locator(".lg-overlay input").fill("0.5")
    canvas = own_photo.locator(LARGE)
    side = canvas.evaluate("canvas => canvas.clientWidth / canvas.width")
    canvas.click(position={"x": (cell[1] + 0.5) * side, "y": (cell[0] + 0.5) * side})
    own_photo.locator(".lg-stack .lg-field").wait_for()
    middles = [_middle(own_photo, part) for part in (".lg-stack .lg-map .lg-cell", ".lg-stack .lg-field")]
    np.testing.assert_allclose(*middles, atol=1)
    canvas.press("Escape")
    own_photo.locator(".lg-lying select").select_option("stretched")
    own_photo.wait_for_url("**lay=stretched**")
    large, seen = own_photo.evaluate(
        """parts => parts.map((part) => {
            const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
            return [x, y, width, height];
        })""",
        [LARGE, ".lg-stack .lg-photo"],
    )
    assert large == seen


@pytest.mark.parametrize("section", ["Its weights", "What excites it", "Optimised picture"])
def test_what_is_unfolded_below_the_maps_comes_into_sight(page: Page, server: str, section: str) -> None:
    """All of it, or as much as the window has room for; a second click leaves the page where it is."""
    visit(page, server, layer="stem.conv", channel="3")
    details = page.locator("details", has=page.get_by_text(section, exact=True)).last
    details.locator("> summary").click()
    settle(page)
    until(page, IN_SIGHT, arg=details.element_handle())
    place = page.get_by_test_id("stMain").evaluate(FOLD, details.element_handle())
    assert place > 0
    expect(details).not_to_have_attribute("open", "")
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") <= place


# A section that still grows scrolls the page until this very click.
FOLD = """(main, details) => {
    const place = main.scrollTop;
    details.querySelector("summary").click();
    return place;
}"""
IN_SIGHT = """details => {
    const { top, bottom, height } = details.getBoundingClientRect();
    return details.open && height > 60 && top > -1 && (bottom < innerHeight + 1 || height > innerHeight);
}"""


def _middle(page: Page, part: str) -> tuple[float, float]:
    box = page.locator(part).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_chosen_channel_survives_colours_but_not_another_layer(own_photo: Page) -> None:
    """The colour bar is there; another layer begins with its first channel."""
    click_tile(own_photo, 5)
    own_photo.wait_for_url("**channel=5**")
    expect(own_photo.locator(".lg-histogram .lg-colours")).to_be_visible()
    press(own_photo, "ArrowRight")
    maps(own_photo, "relu2").wait_for()
    expect(own_photo.locator(".lg-channel-title")).to_have_text("channel 0")


def _number(text: str) -> float:
    return float(text.strip().replace("−", "-"))
