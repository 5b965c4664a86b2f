"""Tests that go to a look on a page that stays see what they would see on one that was loaded there."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import address, go, maps, pixels, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOOKS = (
    {"model": "photonet", "layer": "stage2", "colormap": "magma"},
    {"model": "lenet", "layer": "conv2", "channel": "3", "edit": "conv1:zero:2"},
    {"model": "lenet", "layer": "conv2", "lang": "zh"},
    {"model": "photonet", "weights": "random", "sample": "coffee", "layer": "stem.conv"},
    {"model": "photonet", "layer": "stem.conv"},
)


def seen(page: Page) -> tuple[dict[str, str], str, np.ndarray]:
    """The address, what is to be read on the stage, and the maps."""
    text = page.locator(".lg-viewer").inner_text()
    return address(page), text, pixels(maps(page))


def test_a_page_that_goes_shows_what_a_loaded_one_shows(visitor: Callable[..., Page], server: str) -> None:
    """Another layer, another net, language, weights and picture, and all of that back: text and pixels."""
    going = visit(visitor(), server)
    for look in LOOKS:
        go(going, server, **look)
        loading = visit(visitor(), server, **look)
        if "edit" in look:
            for each in (going, loading):
                expect(each.locator(".lg-edits")).to_be_visible()
        gone, loaded = seen(going), seen(loading)
        assert gone[:2] == loaded[:2], look
        np.testing.assert_array_equal(gone[2], loaded[2], str(look))


@pytest.fixture
def used(looker: Callable[..., Page], server: str) -> Page:
    """A page that stays."""
    return go(looker(), server)


@pytest.mark.parametrize("_turn", range(2))
def test_nothing_that_is_stored_goes_on_to_the_next_test(used: Page, _turn: int) -> None:
    """Whichever of the two runs first: it leaves something behind, and the other does not find it."""
    found = "() => [localStorage, sessionStorage].map((each) => each.getItem('left'))"
    assert used.evaluate(found) == [None, None]
    used.evaluate("() => [localStorage, sessionStorage].forEach((each) => each.setItem('left', 'x'))")
