"""Takes the picture of a class's board in ``docs/pictures/`` from real pages: ``make screenshots``."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import find  # noqa: E402  the path has to be known first
from tests.browser.class_steps import join_by_link, open_class, part  # noqa: E402  likewise
from tests.browser.conftest import QUIET, serving  # noqa: E402  likewise
from tests.browser.steps import visit  # noqa: E402  likewise

PICTURES = ROOT / "docs" / "pictures"
HOST = "layerglass.example"  # the pictures name no real machine
PHONE, PROJECTOR = (390, 844), (1920, 1080)
COLOURS = 160  # enough for what a page shows, at a third of the size
PATIENCE = 60_000


@contextmanager
def arriving(browser: Browser, size: tuple[int, int], scheme: str = "light") -> Iterator[Page]:
    """The page of one more visitor, who was invited before."""
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]  "light" or "dark"
    context.set_default_timeout(PATIENCE)
    context.add_init_script("localStorage.setItem('layerglass.invited', '1')")
    yield context.new_page()
    context.close()


def seen(page: Page) -> Image.Image:
    """What is on screen, once everything is drawn."""
    page.wait_for_timeout(3000)
    return Image.open(BytesIO(page.screenshot()))


def keep(name: str, screen: Image.Image) -> None:
    """Write a screen into a picture."""
    screen.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        PICTURES / f"{name}.png", optimize=True
    )
    print(f"docs/pictures/{name}.png")


def board(browser: Browser, server: str) -> None:
    """The board on a projector, with two who have come."""
    with (
        arriving(browser, PROJECTOR) as teacher,
        arriving(browser, PHONE) as one,
        arriving(browser, PHONE) as other,
    ):
        code = open_class(visit(teacher, server))
        for each in (one, other):
            join_by_link(each, server, code)
        part(teacher, "code").click()
        expect(teacher.locator(".lg-class-count")).to_contain_text("2")
        keep("class-board", seen(teacher))


def main() -> None:
    """Take the picture."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        found = f"--host-resolver-rules=MAP {HOST}:80 127.0.0.1:{urlsplit(server).port}"
        browser = playwright.chromium.launch(executable_path=find(), args=[*QUIET, found])
        board(browser, f"http://{HOST}")
        browser.close()


if __name__ == "__main__":
    main()
