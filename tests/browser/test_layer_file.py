"""A layer's file in a real browser, from a server that keeps what is fetched ahead back."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.machine import patience
from viz.maps.png import rgba_png, with_text
from viz.ui.browser.modules import BROWSER
from viz.ui.wire.answers import PRIVATE

pytestmark = pytest.mark.browser

FACTS = {"layer": "conv1", "note": "每个通道 ≥ 1"}
PICTURE = rgba_png(np.zeros((2, 5), dtype=np.uint8), np.array([[9, 8, 7, 255]], dtype=np.uint8))
OPENED = """async () => {
    const { Pages } = await import("/maps/pages.js");
    const { fetchPage } = await import("/maps/layer_file.js");
    const pages = new Pages(fetchPage), asked = { subject: "x", query: "layer=conv1" };
    window.open_ = (prefetch) => pages.open(asked, prefetch);
    window.ahead = open_(true);
}"""
# Twenty answers later, whatever the browser was ready to send has been sent.
PICKED = """async () => {
    window.picked = open_(false);
    for (let turn = 0; turn < 20; turn += 1) await (await fetch(`/page/skeleton.html?${turn}`)).text();
}"""
SHOWN = """async (which) => {
    const { facts, image } = await window[which];
    return [facts, image.naturalWidth, image.naturalHeight, image.dataset.address];
}"""


class Holding(ThreadingHTTPServer):
    """A server of our scripts and of one layer, which lets prefetches wait."""

    def __init__(self) -> None:
        self.came, self.let, self.answered = threading.Event(), threading.Event(), list[str]()
        super().__init__(("127.0.0.1", 0), partial(Answering, directory=str(BROWSER)))


class Answering(SimpleHTTPRequestHandler):
    """One request to it."""

    server: Holding

    def do_GET(self) -> None:
        """Answer at once, or with a prefetch once the test lets it."""
        if "layer.png" not in self.path:
            return super().do_GET()
        ahead = "x-layerglass-prefetch" in self.headers
        if ahead:
            self.server.came.set()
            self.server.let.wait(patience(60))
        self.server.answered.append("prefetch" if ahead else "pick")
        content = with_text(PICTURE, "layerglass", json.dumps(FACTS, ensure_ascii=False).encode())
        self.send_response(200)
        for name, value in {
            "content-type": "image/png",
            "content-length": str(len(content)),
            **PRIVATE,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
        return None

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def holding() -> Iterator[Holding]:
    """The server, as long as a test lasts."""
    with Holding() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.let.set()
        server.shutdown()


def test_who_picks_what_is_fetched_ahead_does_not_wait_for_that(page: Page, holding: Holding) -> None:
    """A browser's cache lets one request of an address wait for another; both bring facts and picture."""
    page.goto(f"http://127.0.0.1:{holding.server_port}/")
    page.evaluate(OPENED)
    assert holding.came.wait(patience(60))
    page.evaluate(PICKED)
    assert holding.answered == ["pick"]
    shown = [FACTS, 5, 2, "maps/x/layer.png?layer=conv1"]
    assert page.evaluate(SHOWN, "picked") == shown
    holding.let.set()
    assert page.evaluate(SHOWN, "ahead") == shown
