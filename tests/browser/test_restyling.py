"""Restyling: what is put into the page costs its own style, not that of the whole page."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import go, wait_for_guess
from tests.browser.test_accessibility import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Put an element into a place, have it styled, and take it away again.
PUT = """(place) => {
    const put = document.createElement("span");
    document.querySelector(place).append(put);
    getComputedStyle(put).color;
    put.remove();
    document.body.offsetWidth;
}"""
PLACES = (".lg-stage", ".lg-frame", ".lg-panel", ".lg-view-row", "[data-testid=stSidebarUserContent]", "body")
FEW = 60  # elements, of the thousand that a page has


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("options", [{}, PHONE], ids=["laptop", "phone"])
def test_what_is_put_into_the_page_restyles_few_elements(
    looker: Callable[..., Page], server: str, place: str, options: dict[str, Any]
) -> None:
    """A rule with ``:has()`` on what holds all, or on any element, restyles them all."""
    page = go(looker(**options), server)
    wait_for_guess(page)
    expect(page.locator(".lg-ribbon-answer b")).not_to_be_empty()
    assert page.locator("*").count() > 10 * FEW
    page.evaluate(PUT, place)  # a first time has other costs
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.evaluate(PUT, place)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    styled = [each["args"]["elementCount"] for each in events if "elementCount" in each.get("args", {})]
    assert styled  # the browser tells it by this name
    assert max(styled) < FEW
