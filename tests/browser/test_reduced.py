"""A layer as one picture: by the button and the key, over the photo, with NumPy's numbers."""

import re

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import Normalize
from playwright.sync_api import Locator, Page, expect

from tests.browser.oracle import lenet_outputs
from tests.browser.pictures import photo
from tests.browser.steps import DRAWN, arrive, drawn_on, expect_address, press, visit, visit_with_photo
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FORMULA = "[data-part=reduce]"
TITLE = ".lg-reduced:not([aria-busy]) .lg-channel-title"
SHOWN = f"(title) => document.querySelector('{TITLE}')?.textContent === title"


def picture(page: Page, title: str) -> Locator:
    """The canvas of the picture made by this formula, once it is there."""
    until(page, SHOWN, title)
    return page.locator(".lg-reduced .lg-large")


def number(told: Locator) -> float:
    """The number that the line below the picture tells."""
    return float(told.inner_text().split(" = ")[1].replace("−", "-"))


def test_the_picture_is_the_mean_of_the_maps_and_key_o_leads_there_and_back(page: Page, server: str) -> None:
    """The colours are matplotlib's for NumPy's mean of what plain hooks captured."""
    visit_with_photo(page, server, 21, model="lenet", layer="conv2")
    press(page, "o")
    drawn = drawn_on(picture(page, "mean"))
    mean = lenet_outputs(photo(21))["conv2"].mean(0, dtype=np.float64)
    largest = np.abs(mean).max()
    expected = colormaps["coolwarm"](Normalize(-largest, largest)(mean.astype(np.float32)), bytes=True)
    np.testing.assert_array_equal(drawn, expected)
    page.wait_for_url("**view=reduced**")
    page.keyboard.press("o")
    page.locator(DRAWN["layer"]).wait_for()
    page.wait_for_url(lambda url: "view=" not in url)


def test_the_formula_is_chosen_and_stands_in_the_address(page: Page, server: str) -> None:
    """The box, the arrow keys and Back; the pointer tells the exact number."""
    visit_with_photo(page, server, 21, model="lenet", layer="conv2")
    page.locator(".lg-reduce").click()
    picture(page, "mean")
    page.locator(FORMULA).select_option(label="L2 norm")
    canvas = picture(page, "L2 norm")
    page.wait_for_url("**reduce=l2**")
    expect(page.locator(".lg-reduced-definition")).to_contain_text("√(Σ x_c²)")
    norm = np.sqrt((lenet_outputs(photo(21))["conv2"].astype(np.float64) ** 2).sum(0))
    canvas.hover(position={"x": 2, "y": 2})
    expect(page.locator(".lg-reduced .lg-value")).to_contain_text(f"= {norm[0, 0]:.4f}"[:7])
    page.go_back()
    picture(page, "mean")


def test_a_click_compares_all_places_with_one(page: Page, server: str) -> None:
    """By pointer and by keys; the address, Back and the numbers follow, and the place is marked."""
    visit_with_photo(page, server, 21, model="lenet", layer="conv2")
    press(page, "o")
    picture(page, "mean")
    page.locator(FORMULA).select_option(label="similarity to one place")
    maps = lenet_outputs(photo(21))["conv2"].astype(np.float64)
    units = maps / np.linalg.norm(maps, axis=0)
    strongest = divmod(int(np.linalg.norm(maps, axis=0).argmax()), 10)
    canvas, told = picture(page, "similarity to one place"), page.locator(".lg-reduced .lg-value")
    used = page.locator(".lg-reduced-used")
    expect(used).to_contain_text("Compared with row {}, column {}.".format(*strongest))
    side = canvas.evaluate("canvas => canvas.clientWidth / canvas.width")
    canvas.click(position={"x": 2.5 * side, "y": 4.5 * side})
    expect(used).to_contain_text("Compared with row 4, column 2.")
    page.wait_for_url("**cell=4%2C2**")
    expect(page.locator(".lg-reduced .lg-cell")).to_be_visible()
    picture(page, "similarity to one place").hover(position={"x": 6.5 * side, "y": 1.5 * side})
    expect(told).to_contain_text("[1, 6] = ")
    assert number(told) == pytest.approx(units[:, 1, 6] @ units[:, 4, 2], abs=1e-4)
    page.mouse.move(0, 0)
    canvas.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(used).to_contain_text("Compared with row 4, column 3.")
    page.wait_for_url("**cell=4%2C3**")
    page.go_back()
    expect(used).to_contain_text("Compared with row 4, column 2.")
    page.reload()
    picture(page, "similarity to one place")
    expect(used).to_contain_text("Compared with row 4, column 2.")


def test_a_strong_channel_leads_to_its_map(page: Page, server: str) -> None:
    """The strongest of a layer by the mean of absolute values, as NumPy orders them."""
    visit_with_photo(page, server, 21, model="lenet", layer="conv2")
    press(page, "o")
    page.locator(FORMULA).select_option("top")
    page.locator("[data-part=top]").fill("3")
    page.locator("[data-part=top]").press("Enter")
    strengths = np.abs(lenet_outputs(photo(21))["conv2"]).mean((1, 2))
    expected = [str(channel) for channel in np.argsort(-strengths, kind="stable")[:3]]
    expect(page.locator(".lg-reduced-channel")).to_have_text(expected)
    page.locator(".lg-reduced-channel").first.click()
    expect(page.locator(".lg-channel-title")).to_have_text(f"channel {expected[0]}")
    page.wait_for_url(lambda url: "view=" not in url)


def test_a_channel_keeps_the_look_of_the_moment(page: Page, server: str) -> None:
    """A presentation and an opacity that came after the links stay as one follows a link."""
    arrive(page, server, model="lenet", layer="conv2", view="reduced", reduce="top")
    page.locator(".lg-reduced .lg-overlay input").fill("0.5")
    page.wait_for_url("**overlay=50**")
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    page.wait_for_url("**present=1**")
    page.locator(".lg-reduced-channel").first.click()
    page.locator(DRAWN["layer"]).wait_for()
    expect(page.locator("html.lg-presenting")).to_have_count(1)
    expect_address(page, overlay="50")


def test_the_keys_tell_each_number_and_come_back(page: Page, server: str) -> None:
    """Arrows and a click tell NumPy's mean at a cell; Escape leaves the map, and then the presentation."""
    visit_with_photo(page, server, 21, model="lenet", layer="conv2")
    press(page, "o")
    canvas, told = picture(page, "mean"), page.locator(".lg-reduced .lg-value")
    page.keyboard.press("p")
    expect(page.locator("html.lg-presenting")).to_have_count(1)
    before = told.inner_text()
    canvas.focus()
    mean = lenet_outputs(photo(21))["conv2"].mean(0, dtype=np.float64)
    for key, row, column in (("ArrowRight", 5, 6), ("ArrowDown", 6, 6)):  # a map tells one by itself
        page.keyboard.press(key)
        expect(told).to_contain_text(f"[{row}, {column}] = ")
        assert number(told) == pytest.approx(mean[row, column], rel=1e-3)
    side = canvas.evaluate("canvas => canvas.clientWidth / canvas.width")
    canvas.click(position={"x": 2.5 * side, "y": 0.5 * side})
    page.mouse.move(0, 0)
    expect(told).to_contain_text("[0, 2] = ")
    assert number(told) == pytest.approx(mean[0, 2], rel=1e-3)
    expect(canvas).to_have_attribute("aria-label", re.compile("Arrow keys .* Escape leaves the map"))
    page.keyboard.press("Escape")
    expect(page.locator(".lg-reduced .lg-cell")).to_be_hidden()
    expect(told).to_have_text(before)
    page.keyboard.press("ArrowDown")
    picture(page, "mean of absolute values")
    page.keyboard.press("Escape")
    expect(page.locator("html.lg-presenting")).to_have_count(0)


def test_a_layer_without_maps_offers_none_and_the_keys_go_on(page: Page, server: str) -> None:
    """Of single numbers there is no picture; a layer with maps has one, and its neighbour too."""
    visit(page, server, model="lenet", layer="fc1")
    expect(page.locator(".lg-reduce")).to_be_hidden()
    visit(page, server, model="lenet", layer="pool2")
    press(page, "o")
    picture(page, "mean")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".lg-reduced h2")).to_contain_text("relu2")
    picture(page, "mean")
