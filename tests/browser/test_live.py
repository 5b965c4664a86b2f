"""The live camera: maps follow it without a run of the page's script, and a frozen frame is the picture."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.engine import allow
from tests.browser.steps import (
    address,
    arrive,
    decoded,
    expect_calm,
    expect_more,
    maps,
    pixels,
    press,
    settle,
    subject,
    visit,
)
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VIEW = {"model": "lenet", "layer": "conv2"}
# The maps' addresses and the runs of the page's script, as they come.
WATCH = """() => {
    window.frames_seen = new Set();
    window.runs = 0;
    const app = document.querySelector("[data-testid=stApp]");
    new MutationObserver(() => {
        const source = document.querySelector(".lg-maps")?.src ?? "";
        if (!source.startsWith("data:")) return;
        window.frames_seen.add(source);
        window.last_frame = source.split(",")[1];
    }).observe(document.body, { subtree: true, childList: true });
    new MutationObserver(() => {
        if (app.dataset.testScriptState === "running") window.runs += 1;
    }).observe(app, { attributeFilter: ["data-test-script-state"] });
}"""


def go_live(page: Page) -> None:
    """Switch the camera on, and the maps to it; wait for the first ones."""
    allow(page, "camera")
    page.locator(".st-key-camera label").first.click()
    page.locator(".st-key-live_on label").first.click()
    page.locator('.lg-maps[src^="data:"]').wait_for()
    settle(page)


def test_maps_follow_the_camera_and_freeze_on_a_frame(page: Page, server: str) -> None:
    """Several frames come without a rerun, and flipping works; a frozen frame then is the picture."""
    visit(page, server, **VIEW)
    before = subject(page)
    go_live(page)
    page.evaluate(WATCH)
    until(page, "window.frames_seen.size >= 4")
    assert page.evaluate("window.runs") == 0
    expect(page.locator(".lg-facts")).to_contain_text("live")
    expect(page.locator(".lg-live [role=status]")).to_contain_text("pictures per second")
    press(page, "ArrowRight")
    page.locator('.lg-maps[data-layer="relu2"][src^="data:"]').wait_for()
    settle(page)
    page.get_by_role("button", name="Freeze").click()
    until(
        page,
        "before => !(document.querySelector('.lg-maps')?.dataset.address ?? before).includes(before)",
        arg=before,
    )
    settle(page)
    last = decoded(page.evaluate("window.last_frame"))
    drawn = last[..., 3] > 0  # the gaps between tiles are transparent and have no colour
    np.testing.assert_array_equal(pixels(maps(page, "relu2"))[drawn], last[drawn])
    assert "sample" not in address(page)
    expect(page.locator("video")).to_have_count(0)
    expect_calm(page)


def test_all_layers_follow_the_camera(page: Page, server: str) -> None:
    """Several frames come without a rerun, then the picture is back; a click opens the layer, also live."""
    arrive(page, server, **VIEW, view="layers")
    card = page.locator('.lg-overview button[data-layer="conv2"] img')
    card.wait_for()
    before = card.get_attribute("src")
    allow(page, "camera")
    page.locator(".st-key-camera label").first.click()
    page.locator(".st-key-live_on label").first.click()
    expect(card).not_to_have_attribute("src", before or "")
    settle(page)
    page.evaluate(WATCH)
    for _ in range(3):
        expect(card).not_to_have_attribute("src", card.get_attribute("src") or "")
    assert page.evaluate("window.runs") == 0
    expect(page.locator(".lg-live [role=status]")).to_contain_text("pictures per second")
    assert card.evaluate("image => image.naturalWidth") == 10
    page.locator(".st-key-live_on label").first.click()
    expect(card).to_have_attribute("src", before or "")
    page.locator(".st-key-live_on label").first.click()
    expect(card).not_to_have_attribute("src", before or "")
    card.click()
    page.locator('.lg-maps[data-layer="conv2"][src^="data:"]').wait_for()
    settle(page)
    expect_calm(page)


def test_a_live_channel_has_every_value_though_the_maps_are_small(page: Page, server: str) -> None:
    """ResNet-50's first layer has 112 by 112 values, and the map fewer pixels."""
    visit(page, server, model="resnet50", weights="random", layer="conv1")
    go_live(page)
    expect(page.locator(".lg-note")).to_contain_text("each pixel is the mean of about")
    expect(page.locator(".lg-panel .lg-large")).to_have_js_property("width", 112)


def test_a_camera_that_a_browser_lets_run_later_goes_on(page: Page, server: str) -> None:
    """Safari refuses in the background, or to save power: a sentence, no error, and maps once it does not."""
    page.add_init_script("""
        const { play } = HTMLMediaElement.prototype;
        HTMLMediaElement.prototype.play = function () {
            return window.refuses ? Promise.reject(new DOMException("", "NotAllowedError")) : play.call(this);
        };
        window.refuses = true;
    """)
    visit(page, server, **VIEW)
    page.context.grant_permissions(["camera"])
    page.locator(".st-key-camera label").first.click()
    page.locator(".st-key-live_on label").first.click()
    status = page.locator(".lg-live [role=status]")
    expect(status).to_contain_text("allow it in the browser")
    expect_more(status, "your-files#what-happens-to-the-cameras-pictures")
    page.evaluate("window.refuses = false")
    page.locator('.lg-maps[src^="data:"]').wait_for()
    expect(status).to_have_text(re.compile(r"^[\d.]+ pictures per second$"))


def test_switching_the_camera_off_brings_the_picture_back(page: Page, server: str) -> None:
    """The same maps as before, at the same address; and a single snapshot can still be taken."""
    visit(page, server, **VIEW)
    before, shown = subject(page), pixels(maps(page))
    go_live(page)
    page.locator(".st-key-live_on label").first.click()
    page.locator(f'.lg-maps[data-address*="{before}"]').wait_for()
    settle(page)
    np.testing.assert_array_equal(pixels(maps(page)), shown)
    expect(page.locator(".st-key-camera_picture")).to_be_visible()
    settle(page)
    expect_calm(page)
