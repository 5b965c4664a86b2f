"""The real server in a process of its own, and the real page in a real Chromium."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import ADVICE, find

ROOT = Path(__file__).parents[2]
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
SCREEN = {"width": 1366, "height": 768}
PATIENCE = 45_000
STREAMLIT = ("-m", "streamlit", "run", "app.py")

expect.set_options(timeout=PATIENCE)


def free_port() -> int:
    """A port that nobody listens on."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(home: Path, start: tuple[str, ...] = STREAMLIT) -> Iterator[str]:
    """The address of a running Layerglass that has no weights of torchvision and no network to get them."""
    port, log = free_port(), home / "log.txt"
    where = ("--server.port", str(port), "--server.address", "127.0.0.1")
    offline = {"TORCH_HOME": str(home / "torch"), "LAYERGLASS_WEIGHTS_URL": "http://127.0.0.1:9"}
    with log.open("wb") as output:
        command = [sys.executable, *start, *where]
        server = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | offline, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            wait_until_served(f"http://127.0.0.1:{port}", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)
    assert "Traceback" not in log.read_text(errors="replace"), log.read_text(errors="replace")


def wait_until_served(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    """Return once the server answers; fail with its log if it ends or takes two minutes."""
    for _ in range(600):
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')}")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all browser tests; whatever they do to it, it writes no traceback."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real Chromium."""
    path = find()
    if path is None:
        pytest.fail(ADVICE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*QUIET, *FAKE_CAMERA])
        yield browser
        browser.close()


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Makes the page of one more visitor, at the size of a small laptop; no script on it may fail."""
    contexts, failures = [], []

    def arrives(**options: Any) -> Page:
        context = chromium.new_context(**{"viewport": SCREEN, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: failures.append(str(error)))
        return page

    yield arrives
    for context in contexts:
        context.close()
    assert not failures


@pytest.fixture
def page(visitor: Callable[..., Page]) -> Page:
    """A fresh visitor's page."""
    return visitor()
