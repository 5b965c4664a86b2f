"""The page names the next layer before its maps are there: until then, edits never hit another layer."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.steps import (
    address,
    arrive,
    click_tile,
    click_tile_now,
    expect_address,
    maps,
    press,
    settle,
    visit,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COMING = "The maps of relu1 are on their way"


class HeldMaps:
    """Holds back the answers about LeNet's second layer until ``let_go``."""

    def __init__(self, page: Page) -> None:
        self.page, self.waiting, self.held = page, list[Route](), True
        page.route(re.compile(r"/maps/\w+/(layer\.png|pair\.json)\?(.*&)?layer=relu1(&|$)"), self._answer)

    def _answer(self, route: Route) -> None:
        if self.held:
            self.waiting.append(route)
        else:
            route.continue_()

    def let_go(self) -> None:
        """Answer every request that was held back."""
        self.held = False
        for route in self.waiting:
            route.continue_()


def test_a_channel_is_edited_where_the_page_says_or_not_at_all(page: Page, server: str) -> None:
    """By a key, a click on a map, the button and the form, while the old maps are still on screen."""
    held = HeldMaps(page)
    visit(page, server, model="lenet", layer="conv1")
    click_tile(page, 3)
    page.wait_for_url("**channel=3**")
    press(page, "ArrowRight")
    expect(page.locator(".lg-layer")).to_contain_text("relu1")
    expect(maps(page, "conv1")).to_be_visible()
    press(page, "x")
    expect(page.locator(".lg-status")).to_contain_text(COMING)
    press(page, "ArrowDown")
    click_tile_now(page, 2)
    page.locator(".lg-remove").click()
    page.locator(".lg-edit summary").click()
    page.locator(".lg-apply").click()
    expect(page.locator(".lg-channel-title")).to_have_text("channel 3")
    page.wait_for_url("**layer=relu1**")
    settle_script(page)
    assert {"edit", "channel"}.isdisjoint(address(page))
    held.let_go()
    maps(page, "relu1").wait_for()
    expect(page.locator(".lg-status")).not_to_contain_text(COMING)
    shown = page.locator(".lg-channel-title").inner_text()
    press(page, "x")
    expect(page.locator(".lg-edits")).to_contain_text(f"relu1: {shown} removed")
    settle(page)
    page.wait_for_url("**edit=**")
    expect_address(page, edit=f"relu1:zero:{shown.removeprefix('channel ')}")


def test_a_channel_of_a_comparison_is_chosen_once_that_is_there(page: Page, server: str) -> None:
    """The comparison waits for its maps in the same way."""
    held = HeldMaps(page)
    arrive(page, server, view="compare", model="lenet", layer="conv1", channel="3")
    page.locator('[data-side="left"] img.lg-maps[data-layer="conv1"]').wait_for()
    page.locator(".lg-viewer").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lg-layer")).to_contain_text("relu1")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".lg-status")).to_contain_text(COMING)
    page.wait_for_url("**layer=relu1**")
    settle_script(page)
    assert "channel" not in address(page)
    held.let_go()
    page.locator('[data-side="left"] img.lg-maps[data-layer="relu1"]').wait_for()
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**channel=**")


def settle_script(page: Page) -> None:
    """Wait until the page's script has run to its end; its maps may still be on their way."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
