"""No mosaic has more pixels than the screen shows, and all that depends on its size is still right."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import Normalize
from PIL import Image
from playwright.sync_api import Page, Request, expect

from tests.browser.oracle import assert_mosaic_shows, resnet50_output
from tests.browser.pictures import jpeg, photo
from tests.browser.steps import (
    click_tile,
    drawing,
    drawn_on,
    expect_another_picture,
    facts,
    go,
    maps,
    pixels,
    press,
    settle,
    steady,
    upload,
    visit,
)
from tests.browser.waiting import HeldRequests, until

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

VGG = {"model": "vgg11", "weights": "random", "layer": "features.0"}  # 64 maps of 224 by 224
RESNET = {"model": "resnet50", "weights": "random", "layer": "conv1"}  # 64 maps of 112 by 112
# The picture of a layer has come.
FETCHED = r"""layer => {
    const got = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    const about = got.filter(({ searchParams }) => searchParams.get("layer") === layer);
    return about.some(({ pathname }) => pathname.endsWith("/layer.png"));
}"""
# The page keeps what it has fetched ahead once that is decoded.
DECODED = """async (layer) => {
    const got = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    const about = got.filter(({ searchParams }) => searchParams.get("layer") === layer);
    const drawn = about.find(({ pathname }) => pathname.endsWith("/layer.png"));
    await Object.assign(new Image(), { src: drawn.href }).decode();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
SIZES = """images => images.map((image) => {
    const { width, height } = image.getBoundingClientRect();
    return [image.naturalWidth, width * devicePixelRatio, image.naturalHeight, height * devicePixelRatio];
})"""


def expect_no_larger(page: Page, images: str) -> None:
    """No picture has more pixels than the screen shows of it, or wastes the room that it has."""
    sizes = page.locator(images).evaluate_all(SIZES)
    assert sizes
    for wide, shown_wide, high, shown_high in sizes:
        assert wide == pytest.approx(shown_wide, abs=1)
        assert high == pytest.approx(shown_high, abs=1)


def values_of(page: Page, channel: int) -> np.ndarray:
    """The channel's values as the page gets them, in the shape of its map."""
    numbers = page.evaluate(
        """async channel => {
            const address = document.querySelector(".lg-maps").dataset.address.replace("layer.png", "values");
            const answer = await fetch(`${address}&channel=${channel}`);
            return Array.from(new Float32Array(await answer.arrayBuffer()));
        }""",
        channel,
    )
    geometry = facts(page)["geometry"]
    return np.array(numbers, np.float32).reshape(geometry["map_height"], geometry["map_width"])


def expect_large_map(page: Page, values: np.ndarray, found: dict[str, Any], canvas: str) -> None:
    """The large map has a pixel for each value, each in its colour."""
    large = page.locator(canvas)
    expect(large).to_have_js_property("width", values.shape[1])
    norm = Normalize(found["vmin"], found["vmax"])
    np.testing.assert_array_equal(drawn_on(large), colormaps[found["colormap"]](norm(values), bytes=True))


@pytest.mark.parametrize("ratio", [1, 2])
def test_large_maps_come_as_large_as_the_screen_shows_them(
    visitor: Callable[..., Page], server: str, ratio: int
) -> None:
    """On screens with one and with four device pixels per CSS pixel; the page says how they are combined."""
    page = visitor(device_scale_factor=ratio)
    visit(page, server, **VGG)
    steady(page)
    expect_no_larger(page, ".lg-frame img")
    expect(page.locator(".lg-note")).to_contain_text("each pixel is the mean of about")
    assert facts(page)["geometry"]["tile_width"] < 224


def test_a_click_on_a_small_map_shows_that_channel_with_every_value(page: Page, server: str) -> None:
    """The large map, and the exact value of a cell under the pointer."""
    go(page, server, **VGG)
    click_tile(page, 37)
    expect(page.locator(".lg-channel-title")).to_have_text("channel 37")
    values = values_of(page, 37)
    expect_large_map(page, values, facts(page), ".lg-panel .lg-large")
    large = page.locator(".lg-panel .lg-large")
    width, height = large.evaluate("canvas => [canvas.clientWidth, canvas.clientHeight]")
    large.click()
    page.get_by_role("button", name="All digits").click()
    large.hover(position={"x": (100 + 0.5) * width / 224, "y": (200 + 0.5) * height / 224})
    said = page.locator(".lg-value")
    expect(said).to_contain_text("[37, 200, 100] = ")
    number = said.inner_text().split("= ")[1].replace("−", "-")
    assert float(number) == pytest.approx(values[200, 100], rel=1e-6)


def test_every_pixel_is_the_mean_of_the_values_behind_it(visitor: Callable[..., Page], server: str) -> None:
    """ResNet-50 untrained on an own photo, against tracing, PyTorch's pooling and matplotlib's colours."""
    page = visitor()
    visit(page, server, **RESNET)
    before, picture = drawing(page), jpeg(photo(17))
    upload(page, "own.jpg", picture)
    expect_another_picture(page, before)
    assert facts(page)["geometry"]["tile_width"] < 112
    assert_mosaic_shows(pixels(maps(page)), resnet50_output(picture, "conv1"), facts(page))


def test_a_neighbour_that_was_fetched_ahead_is_not_fetched_again(
    visitor: Callable[..., Page], server: str
) -> None:
    """A flip to it asks for neither its picture nor its facts."""
    page = visitor()
    visit(page, server, **RESNET)
    page.wait_for_load_state("networkidle")
    press(page, "ArrowRight")  # after this, nothing that delayed the first layers can matter
    maps(page, "bn1").wait_for()
    until(page, FETCHED, "relu")
    page.evaluate(DECODED, "relu")
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.extend(re.findall(r"/layer\.png\?(?:.*&)?layer=([^&]+)", request.url))

    page.on("request", note)
    press(page, "ArrowRight")
    maps(page, "relu").wait_for()
    shown = re.search(r"layer=([^&]+)", str(maps(page).get_attribute("data-address")))
    page.wait_for_load_state("networkidle")
    assert shown
    assert shown.group(1) not in asked


def asked_urgently(page: Page) -> list[str]:
    """The maps that the page asks for because the visitor waits for them, with their room."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if "x-layerglass-prefetch" not in request.headers:
            asked.extend(re.findall(r"/layer\.png\?.*room=.*", request.url))

    page.on("request", note)
    return asked


def test_the_first_maps_are_asked_for_once_though_the_sidebar_takes_its_time(
    visitor: Callable[..., Page], server: str
) -> None:
    """Streamlit's sidebar slides in, here so slowly that it would still move when the viewer appears."""
    page = visitor()
    page.add_init_script(
        """addEventListener("DOMContentLoaded", () => {
            const slow = document.createElement("style");
            slow.textContent = "[data-testid=stSidebar] { transition-duration: 3s !important }";
            document.head.append(slow);
        })"""
    )
    asked = asked_urgently(page)
    visit(page, server, model="photonet")
    until(page, "document.querySelector('[data-testid=stSidebar]').clientWidth >= 329")
    settle(page)
    assert len(asked) == 1, asked


def test_the_first_maps_wait_for_the_style_sheet_that_says_how_much_room_they_have(
    visitor: Callable[..., Page], server: str
) -> None:
    """It may arrive after the viewer's code."""
    page = visitor()
    late = HeldRequests(page, "**/assets/*/style.css")
    asked = asked_urgently(page)
    with page.expect_response("**/assets/*/bundle.js"):
        page.goto(f"{server}/?model=photonet")
    late.wait_for()
    page.wait_for_timeout(500)  # time for any request that is sent too early
    assert not asked
    late.release()
    maps(page).wait_for()
    settle(page)
    page.wait_for_load_state("networkidle")
    assert len(asked) == 1, asked


def test_the_download_has_a_pixel_for_each_value(page: Page, server: str) -> None:
    """However small the screen is."""
    go(page, server, **VGG)
    page.locator(".lg-downloads summary").click()
    with page.expect_download() as waiting:
        page.locator(".lg-downloads a").filter(has_text="one pixel").click()
    columns = facts(page)["geometry"]["columns"]
    with Image.open(io.BytesIO(Path(waiting.value.path()).read_bytes())) as mosaic:
        assert mosaic.size == (columns * 225 - 1, -(-64 // columns) * 225 - 1)


def test_a_smaller_window_gets_a_smaller_picture(page: Page, server: str) -> None:
    """A larger window gets a larger picture, once its size has settled."""
    go(page, server, **VGG)
    wide = maps(page).evaluate("image => image.naturalWidth")
    page.set_viewport_size({"width": 1100, "height": 768})
    until(page, "wide => document.querySelector('.lg-frame img')?.naturalWidth < wide - 60", arg=wide)
    steady(page)
    expect_no_larger(page, ".lg-frame img")
    page.set_viewport_size({"width": 1366, "height": 768})
    until(page, "wide => document.querySelector('.lg-frame img')?.naturalWidth >= wide - 60", arg=wide)


def test_the_comparison_gets_pictures_of_its_own_size(page: Page, server: str) -> None:
    """There are three pictures; below them is the channel with every value, and its difference.

    A picture of all values that was pushed aside by something newer is asked for again.
    """
    page.route("**/pair.left.png*only=*", lambda route: route.fulfill(status=409), times=1)
    go(page, server, **VGG, view="compare")
    sides = {side: page.locator(f'[data-side="{side}"]') for side in ("left", "right", "difference")}
    sides["difference"].locator("img.lg-maps").wait_for()
    expect_no_larger(page, ".lg-side img.lg-maps")
    expect(page.locator(".lg-compare .lg-note")).to_contain_text("each pixel is the mean of about")
    for side in sides.values():
        expect(side.locator("canvas")).to_have_js_property("width", 224)
        whole = drawn_on(side.locator("canvas"))
        assert whole.shape == (224, 224, 4)
        assert (whole[..., 3] == 255).all()
