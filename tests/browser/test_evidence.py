"""Errors of scripts are those of the test during which they came, on a page that several tests use."""

from collections.abc import Callable
from typing import Any, cast

from playwright.sync_api import Error, Page

from tests.browser.evidence import Witness


class Slow:
    """A page that tells what has happened on it only while somebody waits for it, as Playwright's does."""

    def __init__(self) -> None:
        self.happened: list[Error] = []
        self.closed = False
        self._hears: dict[str, Callable[[Any], None]] = {}

    def on(self, event: str, hears: Callable[[Any], None]) -> None:
        """Tell of events of this kind."""
        self._hears[event] = hears

    def add_init_script(self, _script: str) -> None:
        """Run nothing."""

    def is_closed(self) -> bool:
        """Return whether nothing can be asked of it."""
        return self.closed

    def evaluate(self, _script: str) -> None:
        """Tell of what has happened."""
        assert not self.closed
        while self.happened:
            self._hears["pageerror"](self.happened.pop(0))


def test_an_error_is_heard_before_the_errors_of_a_test_are_read() -> None:
    """Also if the test waited for nothing after it; a page that is closed is asked nothing."""
    page = Slow()
    witness = Witness(cast("Page", page))
    page.happened.append(Error("broken"))
    assert witness.errors == []
    witness.catch_up()
    assert (witness.errors, witness.late) == (["broken"], [])
    assert witness.console == ["thrown: broken"]
    page.closed = True
    witness.catch_up()


def test_an_error_between_two_tests_is_neither_lost_nor_the_next_ones() -> None:
    """It is kept for the end, when all pages close."""
    page = Slow()
    witness = Witness(cast("Page", page))
    page.happened.append(Error("broken"))
    witness.forget()
    assert (witness.errors, witness.late) == ([], ["broken"])
    witness.forget()
    assert witness.late == ["broken"]
