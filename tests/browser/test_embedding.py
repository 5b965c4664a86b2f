"""One view in a frame of another page: a slide or a learning platform that the operator names."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.serving import serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOOK = {"model": "lenet", "sample": "cat", "layer": "conv2", "channel": "3"}


class Quiet(SimpleHTTPRequestHandler):
    """A folder's files, without a line for each request."""

    def log_message(self, *_: object) -> None:
        """Leave it unsaid."""


@dataclass(frozen=True)
class Sites:
    """Two sites with the same files; the server lets one of them show it in a frame."""

    allowed: str
    stranger: str
    framed: str
    folder: Path

    def open(self, page: Page, site: str, width: int = 1000) -> FrameLocator:
        """Open a page of a site, with a look in a frame."""
        source = f"{self.framed}/?{urlencode(LOOK | {'embed': 1})}".replace("&", "&amp;")
        slide = f'<h1>Slide</h1><iframe src="{source}" width="{width}" height="600"></iframe>'
        (self.folder / "slide.html").write_text(slide, "utf-8")
        page.goto(f"{site}/slide.html")
        return page.frame_locator("iframe")


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """The address of a server for a folder's files."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    """Two sites, and a server that lets one of them show it in a frame."""
    folder, home = tmp_path_factory.mktemp("slides"), tmp_path_factory.mktemp("framed")
    with (
        site(folder) as allowed,
        site(folder) as stranger,
        serving(home, settings={"LAYERGLASS_FRAMES": allowed}) as framed,
    ):
        yield Sites(allowed, stranger, framed, folder)


def test_a_frame_shows_one_view_and_no_controls_around_it(visitor: Callable[..., Page], sites: Sites) -> None:
    """The layer of the address with its channel; neither sidebar nor views, and keys do not bring them."""
    page = visitor()
    view = sites.open(page, sites.allowed)
    expect(view.locator(".lg-viewer h2")).to_contain_text("conv2")
    expect(view.locator(".lg-channel-title")).to_contain_text("3")
    view.locator(".lg-maps").click(position={"x": 5, "y": 5})
    for key in ("p", "Escape", "Escape"):
        page.keyboard.press(key)
    expect(view.locator(".lg-views")).to_be_hidden()
    for part in ("[data-testid=stSidebar]", ".lg-tools button", ".lg-ribbon", ".lg-options"):
        for each in view.locator(part).all():
            expect(each).to_be_hidden()


@pytest.mark.parametrize("width", [360, 1000])
def test_the_one_way_out_is_the_same_look_on_the_whole_page(
    visitor: Callable[..., Page], sites: Sites, width: int
) -> None:
    """In a tab of its own, on a phone's width too."""
    page = visitor()
    view = sites.open(page, sites.allowed, width)
    expect(view.locator(".lg-viewer h2")).to_contain_text("conv2")
    with page.context.expect_page() as opened:
        view.get_by_role("link", name="Open in Layerglass").click()
    whole = opened.value
    expect(whole.locator(".lg-viewer h2")).to_contain_text("conv2")
    expect(whole.locator(".lg-views")).to_be_visible()
    asked = {name: value for name, (value,) in parse_qs(urlsplit(whole.url).query).items()}
    assert LOOK.items() <= asked.items()
    assert "embed" not in asked


def test_a_site_that_is_not_named_gets_an_empty_frame(visitor: Callable[..., Page], sites: Sites) -> None:
    """The browser refuses to show the page there."""
    page = visitor()
    with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
        view = sites.open(page, sites.stranger)
    expect(view.locator(".lg-stage")).to_have_count(0)
