"""Steps of a teacher and students, and readings of their pages; and a cable that can be pulled out."""

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import address, maps, subject
from tests.browser.waiting import PATIENCE
from tests.machine import patience

SUBJECTS = {"model", "weights", "sample", "crop", "lang"}

VIEW = "() => document.querySelector('.lg-stage').dataset.view"
NUMBERS = """async ([subject, layer]) => {
    const answer = await fetch(`maps/${subject}/values?layer=${layer}&channel=0`);
    return [...new Float32Array(await answer.arrayBuffer())];
}"""


def numbers(page: Page) -> list[float]:
    """The first channel's values of the layer on screen, from the address that the maps come from."""
    found: list[float] = page.evaluate(NUMBERS, [subject(page), maps(page).get_attribute("data-layer")])
    assert found
    return found


def part(page: Page, name: str) -> Locator:
    """A button of the class."""
    return page.locator(f"[data-part=class_{name}]")


def said(page: Page) -> Locator:
    """Return the line of the class."""
    return page.locator(".lg-class-said")


def open_class(teacher: Page) -> str:
    """Open one, and return its code as it stands on the board."""
    teacher.locator("[data-part=class]").click()
    part(teacher, "open").click()
    code = teacher.locator(".lg-class-code").inner_text()
    assert re.fullmatch("[B-Z]{4} [B-Z]{4}", code)
    part(teacher, "begin").click()
    return code


def end_class(teacher: Page) -> None:
    """End it: said twice, as the page wants it."""
    part(teacher, "end").click()
    part(teacher, "end_now").click()


def join_by_link(page: Page, server: str, code: str) -> Page:
    """Open the link of a class, and wait until what the teacher looks at is there."""
    page.goto(f"{server}/?class={code.replace(' ', '').lower()}")
    expect(said(page)).to_have_text("You see what the teacher looks at")
    maps(page).wait_for()
    return page


def join_by_code(page: Page, code: str) -> Page:
    """Type a code on a page that is open."""
    page.locator("[data-part=class]").click()
    page.locator(".lg-class-form input[name=code]").fill(code)
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text("You see what the teacher looks at")
    return page


def look(page: Page) -> dict[str, str]:
    """Return the part of the address that describes the look."""
    return {name: value for name, value in address(page).items() if name not in SUBJECTS}


def expect_same_look(teacher: Page, *students: Page, **said: str | None) -> None:
    """Wait until the addresses of all say the same look, and what is said of it; None for nothing."""
    deadline = time.monotonic() + patience(PATIENCE)
    while True:
        wanted = look(teacher)
        theirs = [look(each) for each in students]
        views = {each.evaluate(VIEW) for each in (teacher, *students)}
        right = all(wanted.get(name) == value for name, value in said.items())
        if right and len(views) == 1 and all(each == wanted for each in theirs):
            return
        assert time.monotonic() < deadline, (wanted, theirs, views)
        teacher.wait_for_timeout(100)


class Cable:
    """A way to a server that can be cut: what is open breaks, and nothing new gets through.

    Attributes:
        address: where it begins.
    """

    def __init__(self, server: str) -> None:
        self._end = urlsplit(server).hostname or "", urlsplit(server).port or 80
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        self._cut = False
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """Pull it out."""
        self._cut = True
        for each in list(self._open):
            _end(each)

    def mend(self) -> None:
        """Plug it in again."""
        self._cut = False

    def close(self) -> None:
        """Put it away."""
        self.cut()
        self._listening.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                if self._cut:
                    near.close()
                    continue
                far = socket.create_connection(self._end)
                self._open |= {near, far}
                if self._cut:  # meanwhile, by one who did not find these two
                    _end(near)
                    _end(far)
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
        for each in (source, target):
            self._open.discard(each)
            _end(each)


@contextmanager
def cable(server: str) -> Iterator[Cable]:
    """A cable to a server."""
    made = Cable(server)
    try:
        yield made
    finally:
        made.close()


def slowed(page: Page) -> Page:
    """A page on a line of 1.6 Mbit/s with 150 ms delay."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    pace = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
    line.send("Network.emulateNetworkConditions", pace)
    return page


def _end(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
    line.close()
