"""Waiting until a page shows something."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from re import Pattern
from typing import Any

import pytest
from playwright._impl._connection import Channel
from playwright.sync_api import Error, Page, Route
from playwright.sync_api import TimeoutError as Late

from tests.machine import patience

PATIENCE, PAUSE = 45.0, 50.0  # seconds in all on a quiet machine, milliseconds between two checks
WAITS = ("expect", "waitForSelector")  # what Playwright calls them
SLICE = 2400.0  # milliseconds: in a wait of up to 2,500 it looks every 100, in a longer one every 500


@contextmanager
def looking_often() -> Iterator[None]:
    """Have Playwright look ten times a second until a wait's end, and not twice a second."""
    whole = Channel.send

    async def send(
        self: Channel, method: str, wait: Any, params: Any = None, *more: Any, **named: Any
    ) -> Any:
        if method not in WAITS:
            return await whole(self, method, wait, params, *more, **named)
        until = time.monotonic() + wait(params.get("timeout")) / 1000
        while True:
            left = 1000 * (until - time.monotonic())
            slice_of_it = {**params, "timeout": max(1.0, min(SLICE, left))}
            try:
                return await whole(self, method, wait, slice_of_it, *more, **named)
            except Error as error:
                over = isinstance(error, Late) or (error._details or {}).get("timedOut")
                if left <= SLICE or not over:
                    raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Channel, "send", send)
        yield


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


class HeldRequests:
    """Requests that wait until a test lets them go; those that come afterwards pass."""

    def __init__(self, page: Page, address: str | Pattern[str]) -> None:
        """Hold each that is asked for from now on."""
        self.routes: list[Route] = []
        self._page, self._is_over = page, False
        page.route(address, self._came)

    def _came(self, route: Route) -> None:
        if self._is_over:
            route.continue_()
        else:
            self.routes.append(route)

    def wait_for(self, count: int = 1) -> None:
        """Return once so many wait: the page may show what follows from one before it is heard of."""
        wait_until(self._page, lambda: len(self.routes) >= count)

    def release(self) -> None:
        """Let all go."""
        self._is_over = True
        for route in self.routes:
            route.continue_()
