"""Waiting until a page shows something."""

import time

from playwright.sync_api import Page

from tests.machine import patience

PATIENCE, PAUSE = 45.0, 50.0  # seconds in all on a quiet machine, milliseconds between two checks


def until(page: Page, expression: str, arg: object = None) -> None:
    """Return once a script's expression holds.

    Playwright's own wait evaluates text inside the page, which the page's content policy forbids.

    Raises:
        TimeoutError: it never did.
    """
    deadline = time.monotonic() + patience(PATIENCE)
    while not page.evaluate(expression, arg):
        if time.monotonic() > deadline:
            raise TimeoutError(f"never came true: {expression}")
        page.wait_for_timeout(PAUSE)
