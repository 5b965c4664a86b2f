"""Ways for students into a class: addresses and codes, in the terminal and on the board."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import find
from tests.browser.class_steps import part, said
from tests.browser.serving import ROOT, START, free_port, wait_until_served
from tests.browser.steps import first_visit, maps, visit
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.machine import patience
from viz.reach.addresses import network_addresses

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Pixels = NDArray[np.uint8]
HALVES = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}  # light above and below
FOR_A_CLASS = re.compile(r"^For a class: (http://\S+/)", re.MULTILINE)
MADE_UP = "192.0.2.7"  # Source: RFC 5737: of no machine, for examples
# A card in name only: whoever asks the system for an interface's address hears the made-up one.
CARD = f"""
import fcntl, socket

def ioctl(line, request, *more):
    return bytes(20) + socket.inet_aton("{MADE_UP}") + bytes(8)

fcntl.ioctl = ioctl
"""


@dataclass(frozen=True)
class Served:
    """A page that the network may open: where it listens, and what the terminal shows."""

    port: int
    log: Path

    @property
    def terminal(self) -> str:
        """Return the log that was written so far."""
        return self.log.read_text("utf-8")

    @property
    def announced(self) -> str:
        """The address that the terminal names first."""
        found = FOR_A_CLASS.search(self.terminal)
        assert found
        return found[1]


def network(folder: Path) -> dict[str, str]:
    """The settings of a server on a machine in a network; this one may be in none."""
    (folder / "sitecustomize.py").write_text("" if network_addresses() else CARD, encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


@pytest.fixture(scope="module")
def engine(browsers: Callable[[str, int], Browser]) -> Iterator[Browser]:
    """A browser that finds this machine at the made-up address too."""
    rule = f"--host-resolver-rules=MAP {MADE_UP} 127.0.0.1"
    found = browsers("", 100).browser_type.launch(
        executable_path=find(), args=["--no-sandbox", "--disable-gpu", rule]
    )
    yield found
    found.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The command with which a teacher begins, in a process of its own."""
    found = Served(free_port(), tmp_path_factory.mktemp("served") / "log.txt")
    command = [sys.executable, "-m", "viz", "serve", "--host", "0.0.0.0", "--port", str(found.port)]
    with found.log.open("wb") as output:
        settings = os.environ | {"PYTHONIOENCODING": "utf-8"} | network(found.log.parent)
        server = subprocess.Popen(command, cwd=ROOT, env=settings, stdout=output, stderr=subprocess.STDOUT)
        try:
            wait_until_served(f"http://127.0.0.1:{found.port}", server, found.log)
            yield found
        finally:
            server.terminate()
            server.wait(timeout=patience(60))


def read(code: Pixels) -> str:
    """Return the text that a camera reads; empty for nothing."""
    return str(cv2.QRCodeDetector().detectAndDecode(code)[0])


def drawn_in(terminal: str) -> Pixels:
    """A code that is drawn with halves of characters, as the picture that a camera sees."""
    lines = re.findall(r"^\x1b\[97;40m(.+)\x1b\[0m$", terminal, re.MULTILINE)
    rows = [[HALVES[each][half] for each in line] for line in lines for half in (0, 1)]
    large = np.kron(np.array(rows, np.uint8), np.ones((8, 8), np.uint8))
    return np.pad(large, 40, constant_values=255)


def is_of_this_machine_alone(address: str) -> bool:
    """Return whether a phone that opens the address would reach itself."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "0.0.0.0", "::1") or host.startswith("127.")


def test_the_terminal_names_an_address_for_phones_and_draws_it(served: Served) -> None:
    """Not that of the machine alone; a reader of codes that is not ours reads the same."""
    assert not is_of_this_machine_alone(served.announced)
    assert urlsplit(served.announced).port == served.port
    assert read(drawn_in(served.terminal)) == served.announced


def test_what_the_board_draws_leads_into_the_class(served: Served, visitor: Callable[..., Page]) -> None:
    """Though the teacher's own address is localhost, whoever scans the code comes in."""
    teacher = visit(visitor(), f"http://127.0.0.1:{served.port}")
    teacher.locator("[data-part=class]").click()
    part(teacher, "open").click()
    code = teacher.locator(".lg-class-code").inner_text().replace(" ", "")
    shown = teacher.locator(".lg-class-address").inner_text()
    assert f"http://{shown}/" == served.announced
    picture = teacher.locator(".lg-class-qr")
    expect(picture).to_have_js_property("complete", True)
    found = read(cv2.imdecode(np.frombuffer(picture.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE))
    assert found == f"{served.announced}?class={code}"
    student = visitor()
    student.goto(found)
    expect(said(student)).to_have_text("You see what the teacher looks at")
    maps(student).wait_for()
    count = teacher.locator(".lg-class-count")
    expect(count).to_contain_text("1")
    part(teacher, "begin").click()
    part(teacher, "code").click()
    expect(count).to_contain_text("1")  # also where the board comes back for latecomers


def test_a_page_for_this_machine_alone_says_with_which_command_a_class_gets_in(
    page: Page, server: str
) -> None:
    """The very words with which the tests began this server, at every address."""
    visit(page, server)
    page.get_by_role("button", name="Class", exact=True).click()
    part(page, "open").click()
    expect(page.locator(".lg-class-board .lg-notice")).to_contain_text("Only this machine opens the page")
    command = shlex.split(page.locator(".lg-class-command").inner_text())
    if "MAKELEVEL" in os.environ:
        assert (command[:2], command[-1]) == (["make", "run"], "HOST=0.0.0.0")
        return
    port = str(urlsplit(server).port)
    begun = [sys.executable, *START, "--server.port", port, "--server.baseUrlPath", ""]
    assert command == [*begun, "--server.address", "0.0.0.0"]


@EVERY_TYPEFACE
def test_the_button_of_classes_has_its_word_at_a_first_visit(
    visitor: Callable[..., Page], server: str
) -> None:
    """Beside the invitation, and in the row of the views."""
    page = first_visit(visitor(), server)
    expect(page.locator(".lg-invitation")).to_be_visible()
    expect(page.locator("[data-part=class]").get_by_text("Class", exact=True)).to_be_visible()
    tops = [page.locator(each).bounding_box() for each in ("[data-part=class]", ".lg-views")]
    assert abs(tops[0]["y"] - tops[1]["y"]) < 10
