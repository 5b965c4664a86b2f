"""Waiting until a page shows something."""

import time
from collections.abc import Callable

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


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds that a test reads from the page, or has heard from it."""
    deadline = time.monotonic() + patience(PATIENCE)
    while not holds():
        assert time.monotonic() < deadline
        page.wait_for_timeout(100)
