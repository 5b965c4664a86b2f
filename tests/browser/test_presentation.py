"""Presentation mode: the maps fill the screen, keys still work, and a link can start it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import address, expect_calm, maps, press, settle, visit
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VIEW = {"model": "photonet", "layer": "stem.conv"}
PROJECTOR = {"viewport": {"width": 1920, "height": 1080}}


def area(page: Page) -> float:
    """How much of the window the maps take, in square pixels."""
    box = maps(page).bounding_box() or {"width": 0, "height": 0}
    return box["width"] * box["height"]


def test_the_maps_take_the_screen_and_give_it_back(page: Page, server: str) -> None:
    """Key p: no sidebar, larger maps, no scrolling; flipping works; Escape brings everything back."""
    visit(page, server, model="lenet", layer="conv2")
    before = area(page)
    press(page, "p")
    expect(page.locator("[data-testid=stSidebar]")).to_be_hidden()
    expect(page.locator(".lg-panel")).to_be_hidden()
    page.wait_for_url("**present=1**")
    settle(page)
    until(
        page,
        "before => { const box = document.querySelector('.lg-maps').getBoundingClientRect();"
        " return box.width * box.height > 1.2 * before; }",
        arg=before,
    )
    assert page.get_by_test_id("stMain").evaluate("each => each.scrollHeight") <= 768
    press(page, "ArrowRight")
    maps(page, "relu2").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-model input").first).to_be_visible()
    expect(page.locator(".lg-panel")).to_be_visible()
    page.wait_for_url(lambda url: "present" not in url)
    expect_calm(page)


def test_a_channel_takes_its_side_until_escape(page: Page, server: str) -> None:
    """The first Escape closes the channel, the second ends the presentation."""
    visit(page, server, model="lenet", layer="conv2", present="1")
    expect(page.locator("[data-testid=stSidebar]")).to_be_hidden()
    press(page, "ArrowDown")
    expect(page.locator(".lg-channel-title")).to_have_text("channel 1")
    expect(page.locator(".lg-panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".lg-panel")).to_be_hidden()
    assert address(page)["present"] == "1"
    page.keyboard.press("Escape")
    expect(page.locator(".lg-panel")).to_be_visible()
    page.wait_for_url(lambda url: "present" not in url)


def test_a_link_begins_a_presentation_on_a_projector(visitor: Callable[..., Page], server: str) -> None:
    """Only the maps, their text, and a button that ends the presentation by mouse."""
    page = visit(visitor(**PROJECTOR), server, **VIEW, present="1")
    expect(page.locator(".lg-drawing")).to_be_hidden()
    heading = page.locator(".lg-layer").evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert heading >= 30
    page.get_by_role("button", name="Leave presentation").click()
    expect(page.locator(".lg-drawing")).to_be_visible()
    settle(page)
    expect_calm(page)
