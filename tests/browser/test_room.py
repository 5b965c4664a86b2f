"""Maps fill their room: enlarged by any factor, all tiles alike; the large map and colours can be read."""

import io
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.steps import facts, go, maps, press, settle
from tests.browser.typefaces import EVERY_SIZE, EVERY_TYPEFACE, Reader
from tests.browser.waiting import PATIENCE, PAUSE, until
from tests.machine import patience

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

LAPTOPS = ((1366, 768), (1440, 900))
GESTURE = """([[clientX, clientY], events]) => events.map(([name, scale]) => {
    const event = new MouseEvent(name, { bubbles: true, cancelable: true, clientX, clientY });
    document.querySelector(".lg-frame").dispatchEvent(Object.assign(event, { scale }));
    return event.defaultPrevented;
})"""
PALE = 12  # levels: how far a gap may be from the page's own colour


def layers(page: Page) -> list[str]:
    """Some layers of the model on screen, from its beginning to its end."""
    names = page.locator("[data-part=tree] [role=treeitem]").evaluate_all(
        "rows => rows.map(row => row.dataset.name)"
    )
    return [str(name) for name in names]


@EVERY_TYPEFACE
@pytest.mark.parametrize("window", LAPTOPS)
def test_maps_fill_most_of_the_width_or_of_the_height_of_their_room(
    looker: Callable[..., Page], server: str, window: tuple[int, int]
) -> None:
    """Layer by layer: without a window's scrolling, and beside the panel of the channel."""
    page = go(looker(viewport={"width": window[0], "height": window[1]}), server)
    for layer in layers(page)[::4]:
        go(page, server, layer=layer)
        shown, room = maps(page).bounding_box(), page.locator(".lg-room").bounding_box()
        assert shown
        assert room
        assert max(shown["width"] / room["width"], shown["height"] / room["height"]) >= 0.8, layer
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), layer


def gaps(line: np.ndarray) -> list[tuple[int, int]]:
    """Return the runs (start, end) of the page's own colour along a line of pixels, without the last."""
    blank = (np.abs(line.astype(int) - 255).max(axis=1) <= PALE).astype(int)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], blank, [0]])))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


@pytest.mark.parametrize("ratio", [1, 1.25, 1.5, 2, 3])
def test_all_tiles_are_drawn_alike_whatever_the_factor(
    visitor: Callable[..., Page], server: str, ratio: float
) -> None:
    """The gaps between them are equally wide and equally far apart, in a screen's own pixels."""
    page = visitor(device_scale_factor=ratio, viewport={"width": 1366, "height": 768})
    go(page, server, model="lenet", layer="relu2", colormap="magma")
    scale = maps(page).evaluate(
        "image => image.getBoundingClientRect().width * devicePixelRatio / image.naturalWidth"
    )
    assert scale > 1
    page.add_style_tag(content=".lg-mark { display: none }")
    shot = np.asarray(Image.open(io.BytesIO(page.locator(".lg-frame").screenshot())).convert("RGB"))
    geometry = facts(page)["geometry"]
    line = shot[int(scale * geometry["tile_height"] / 2)]
    found = gaps(line)[: geometry["columns"] - 1]
    assert len(found) == geometry["columns"] - 1
    assert len({end - start for start, end in found}) == 1, found
    assert len({after[0] - before[0] for before, after in pairwise(found)}) == 1, found


@EVERY_SIZE
def test_the_large_map_and_its_numbers_can_be_read_without_scrolling(
    page: Page, server: str, reader: Reader
) -> None:
    """On a laptop it has 320 pixels and more; no number beside it is smaller than 12 pixels of usual text.

    Where text is larger the map and its numbers are in sight, and the histogram is a scroll away.
    """
    page.set_viewport_size({"width": 1366, "height": 768})
    go(page, server)
    large = page.locator(".lg-panel .lg-large").bounding_box()
    assert large
    assert max(large["width"], large["height"]) >= 320
    sizes = page.locator(".lg-panel :is(.lg-axis, .lg-ticks, .lg-value) ").evaluate_all(
        "parts => parts.map(part => parseFloat(getComputedStyle(part).fontSize))"
    )
    assert min(sizes) >= (12 if reader.size >= 100 else 10.5)
    end = page.locator(".lg-histogram" if reader.size <= 100 else ".lg-panel .lg-axis-across").bounding_box()
    assert end
    assert end["y"] + end["height"] <= 768


@EVERY_TYPEFACE
def test_the_colours_below_the_histogram_have_the_layers_own_ends(page: Page, server: str) -> None:
    """And zero between them, where the values have both signs; the numbers do not run into each other."""
    go(page, server, model="lenet", layer="conv2")
    statistics = facts(page)["statistics"]
    said = [text.replace("−", "-") for text in page.locator(".lg-histogram .lg-ticks span").all_inner_texts()]
    assert float(said[0]) == pytest.approx(statistics["minimum"], rel=1e-3)
    assert float(said[-1]) == pytest.approx(statistics["maximum"], rel=1e-3)
    assert "0" in said
    boxes = page.locator(".lg-histogram .lg-ticks span").evaluate_all(
        "spans => spans.map(span => [span.getBoundingClientRect().left, span.getBoundingClientRect().right])"
    )
    assert all(before[1] < after[0] for before, after in pairwise(sorted(boxes)))


@EVERY_TYPEFACE
def test_the_same_room_gives_the_same_size_in_both_languages(page: Page, server: str) -> None:
    """Of the large map, which words cannot make smaller."""
    sides = {}
    for language in ("en", "zh"):
        go(page, server, lang=language)
        box = page.locator(".lg-panel .lg-large").bounding_box()
        assert box
        sides[language] = (box["width"], box["height"])
    assert sides["en"] == sides["zh"]


def zoomed(page: Page) -> bool:
    """Return whether one channel is magnified in place of the maps."""
    return page.locator(".lg-zoom").is_visible()


def test_the_wheel_goes_from_the_maps_into_one_channel_and_to_its_numbers_and_back(
    page: Page, server: str
) -> None:
    """With Ctrl as when pinching, over a map; Escape comes back to where it began."""
    go(page, server, model="lenet", layer="conv2")
    box = maps(page).bounding_box()
    geometry = facts(page)["geometry"]
    assert box
    pitch = box["width"] / geometry["width"] * (geometry["tile_width"] + geometry["pad"])
    page.mouse.move(box["x"] + 1.5 * pitch, box["y"] + 0.5 * pitch)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -60)
    expect(page.locator(".lg-channel-title")).to_have_text("channel 1")
    expect(page.locator(".lg-zoom")).to_be_visible()
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    expect(page.locator(".lg-status")).to_contain_text("times as large")
    at = page.locator(".lg-room").bounding_box()
    assert at
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    expect(page.locator(".lg-value")).to_contain_text("[1, ")
    press(page, "Escape")
    expect(page.locator(".lg-zoom")).to_be_hidden()
    expect(page.locator(".lg-channel-title")).to_have_text("channel 1")
    assert maps(page).bounding_box() == box


def test_a_pinch_on_a_touchpad_goes_into_the_map_below_it_in_safari_too(page: Page, server: str) -> None:
    """It tells of one in events of its own, dispatched here; taken, they do not enlarge the page."""
    go(page, server, model="lenet", layer="conv2")
    box = maps(page).bounding_box()
    assert box
    geometry = facts(page)["geometry"]
    pitch = box["width"] / geometry["width"] * (geometry["tile_width"] + geometry["pad"])
    at = [box["x"] + 1.5 * pitch, box["y"] + 0.5 * pitch]
    events = [["gesturestart", 1], ["gesturechange", 1.1], ["gesturechange", 2], ["gestureend", 2]]
    assert page.evaluate(GESTURE, [at, events]) == [True] * 4
    expect(page.locator(".lg-channel-title")).to_have_text("channel 1")
    expect(page.locator(".lg-zoom")).to_be_visible()  # some frames later: it glides
    press(page, "Escape")
    expect(page.locator(".lg-zoom")).to_be_hidden()
    assert page.evaluate(GESTURE, [at, [["gesturestart", 1], ["gesturechange", 0.5]]]) == [True] * 2
    assert not zoomed(page)


def test_the_keys_go_in_step_by_step_and_the_next_layer_stays_magnified(page: Page, server: str) -> None:
    """Plus and minus; the arrows flip on as before, and 0 shows all maps again."""
    go(page, server, model="lenet", layer="conv1")
    press(page, *["+"] * 4)
    expect(page.locator(".lg-zoom")).to_be_visible()
    until(page, "document.querySelector('.lg-status').textContent.includes('times')")
    press(page, "ArrowRight")
    maps(page, "relu1").wait_for()
    assert zoomed(page)
    press(page, "-")
    assert zoomed(page)
    press(page, "0")
    expect(page.locator(".lg-zoom")).to_be_hidden()
    expect(page.locator("button.lg-zoom-out")).to_be_disabled()


def test_a_magnified_cell_shows_its_number_and_is_taken_apart_by_a_click(page: Page, server: str) -> None:
    """All pixels of a cell but those of its number have its colour."""
    go(page, server, model="lenet", layer="conv2", channel="3")
    press(page, *["+"] * 8)
    expect(page.locator("button.lg-zoom-in")).to_be_disabled()
    until(page, "document.querySelector('.lg-status').textContent.includes('times')")
    at = page.locator(".lg-room").bounding_box()
    assert at
    deadline = time.monotonic() + patience(PATIENCE)
    while not says_a_number(page):
        assert time.monotonic() < deadline
        page.wait_for_timeout(PAUSE)
    page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    expect(page.locator(".lg-number")).to_be_visible()


def says_a_number(page: Page) -> bool:
    """Return whether the middle of the magnified map has black or white pixels."""
    shot = np.asarray(Image.open(io.BytesIO(page.locator(".lg-zoom").screenshot())).convert("L")).astype(int)
    middle = shot[
        shot.shape[0] // 2 - 120 : shot.shape[0] // 2 + 120,
        shot.shape[1] // 2 - 120 : shot.shape[1] // 2 + 120,
    ]
    return bool(((middle < 40) | (middle > 250)).any())


def test_a_plain_wheel_scrolls_a_page_that_can_be_scrolled(page: Page, server: str) -> None:
    """In a low window the pointer may rest on the maps."""
    page.set_viewport_size({"width": 1366, "height": 420})
    go(page, server)
    box = maps(page).bounding_box()
    assert box
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.wheel(0, 120)
    until(page, "document.querySelector('[data-testid=stMain]').scrollTop > 50")
    page.mouse.wheel(0, -60)
    page.wait_for_timeout(300)
    assert not zoomed(page)


def test_colours_are_chosen_by_what_they_look_like(page: Page, server: str) -> None:
    """Beside each name is its gradient, and for how many signs it is; keys choose as in any box."""
    go(page, server, model="lenet", layer="conv1")
    box = page.locator("[data-part=colormap]")
    box.click()
    row = page.get_by_role("option", name="magma, one sign")
    assert "linear-gradient" in row.locator(".lg-swatch").evaluate(
        "swatch => getComputedStyle(swatch).backgroundImage"
    )
    expect(page.get_by_role("option", name="coolwarm, both signs")).to_be_visible()
    box.fill("mag")
    box.press("Enter")
    page.wait_for_url("**colormap=magma**")
    settle(page)
    assert facts(page)["colormap"] == "magma"
