"""Waits in slices find what comes late, and fail as one wait would."""

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as Late

from tests.browser import waiting

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LATE = "setTimeout(() => { document.body.innerHTML = '<p>here</p>'; }, 700)"


@pytest.fixture(autouse=True)
def _short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "SLICE", 150.0)


def test_what_comes_some_slices_late_is_met(page: Page) -> None:
    """By an expectation and by a wait."""
    page.goto("about:blank")
    page.evaluate(LATE)
    expect(page.locator("p")).to_have_text("here")
    page.evaluate(LATE.replace("<p>here</p>", "<q></q>"))
    page.locator("p").wait_for(state="detached")
    page.locator("q").wait_for(state="attached")


def test_what_never_comes_fails_at_the_end_and_in_playwrights_words(page: Page) -> None:
    """Not after the first slice, and an expectation names what it met instead."""
    page.goto("about:blank")
    page.evaluate("document.body.textContent = 'other'")
    with pytest.raises(AssertionError, match="expected to have text 'wanted'\nActual value: other"):
        expect(page.locator("body")).to_have_text("wanted", timeout=900)
    with pytest.raises(Late, match='waiting for locator\\("q"\\)'):
        page.locator("q").wait_for(timeout=400)
