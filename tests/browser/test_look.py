"""Languages, themes, the camera: the page as different visitors meet it."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.engine import allow
from tests.browser.steps import (
    address,
    drawing,
    expect_another_picture,
    expect_calm,
    facts,
    maps,
    notices,
    pixels,
    settle,
    visit,
)
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VIEW = {"model": "lenet", "layer": "conv2"}
BACKGROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"


def test_the_language_can_be_switched_and_switched_back(page: Page, server: str) -> None:
    """Labels and the facts below the maps change; the maps and their alternative text do not."""
    visit(page, server, **VIEW)
    before = pixels(maps(page))
    page.locator(".st-key-lang").get_by_text("中文").click()
    expect(page.locator(".lg-layer-box label").first).to_have_text("层")
    expect(page.locator(".lg-next")).to_have_attribute("aria-label", "下一层: relu2")
    page.wait_for_url("**lang=zh**")
    np.testing.assert_array_equal(pixels(maps(page, "conv2")), before)
    page.locator(".st-key-lang").get_by_text("EN").click()
    expect(page.locator(".lg-layer-box label").first).to_have_text("Layer")
    expect(page.locator(".lg-next")).to_have_attribute("aria-label", "next layer: relu2")
    settle(page)
    expect_calm(page)


def test_every_choice_outlives_the_language(page: Page, server: str) -> None:
    """Boxes whose choices are named differently in the other language still show the same choice."""
    visit(page, server, **VIEW, sample="coffee", scale="channel", order="mean", colormap="magma")
    before = pixels(maps(page))
    for language, sample, scale in (
        ("中文", "一杯咖啡", "逐通道"),
        ("EN", "A cup of coffee", "one per channel"),
    ):
        page.locator(".st-key-lang").get_by_text(language).click()
        expect(page.locator(".st-key-sample input").first).to_have_value(sample)
        expect(page.locator("[data-part=scale] option:checked")).to_have_text(scale)
        settle(page)
        assert {"sample": "coffee", "scale": "channel", "order": "mean"}.items() <= address(page).items()
        np.testing.assert_array_equal(pixels(maps(page, "conv2")), before)
        expect_calm(page)


def test_a_chinese_browser_is_met_in_chinese(visitor: Callable[..., Page], server: str) -> None:
    """The first screen and its notices are in the browser's language."""
    page = visit(visitor(locale="zh-CN"), server, **VIEW, colormap="jett")
    expect(page.locator(".lg-layer-box label").first).to_have_text("层")
    expect(notices(page)).to_contain_text("不存在")


@pytest.mark.parametrize(
    ("scheme", "colour", "colormap"),
    [("light", "rgb(255, 255, 255)", "coolwarm"), ("dark", "rgb(15, 20, 24)", "coolwarm_on_dark")],
)
def test_the_page_follows_the_systems_theme(
    visitor: Callable[..., Page], server: str, scheme: str, colour: str, colormap: str
) -> None:
    """Background and colours do, also while one looks; exports stay as they are printed."""
    page = visit(visitor(color_scheme=scheme), server, **VIEW)
    assert page.evaluate(BACKGROUND) == colour
    assert facts(page)["colormap"] == colormap
    page.locator(".lg-downloads summary").click()
    page.locator(".lg-downloads a").first.wait_for()
    links = page.locator(".lg-downloads a").evaluate_all("links => links.map(({ href }) => href)")
    assert not [link for link in links if "dark" in link]
    shown = maps(page).get_attribute("data-address")
    page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
    until(page, "shown => document.querySelector('.lg-maps').dataset.address !== shown", arg=shown)
    assert facts(page)["colormap"] != colormap


def test_a_picture_is_taken_with_the_camera(page: Page, server: str) -> None:
    """The camera stays off until it is switched on; what it takes is shown, and is not in the address."""
    allow(page, "camera")
    visit(page, server, **VIEW)
    before = drawing(page)
    expect(page.locator("video")).to_have_count(0)
    page.locator(".st-key-camera label").first.click()
    until(page, "document.querySelector('video')?.currentTime > 2")  # it starts anew once its box has a width
    settle(page)
    page.get_by_role("button", name="Take Photo").click()
    expect_another_picture(page, before)
    expect_calm(page)
    assert "sample" not in page.url


@EVERY_TYPEFACE
def test_a_phone_needs_no_sideways_scrolling(visitor: Callable[..., Page], server: str) -> None:
    """On a narrow screen the maps fit its width."""
    page = visitor(viewport={"width": 390, "height": 768}, is_mobile=True)
    visit(page, server, **VIEW)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert maps(page).evaluate("image => image.getBoundingClientRect().right") <= 390
