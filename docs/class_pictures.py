"""Takes the pictures of a class in ``docs/pictures/`` from real pages: ``make screenshots``."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.asking_steps import PHONE, ask_ready, card, type_answer  # noqa: E402  the path has to be known first
from tests.browser.chromium import find  # noqa: E402  likewise
from tests.browser.class_steps import join_by_link, open_class, part  # noqa: E402  likewise
from tests.browser.conftest import QUIET, serving  # noqa: E402  likewise
from tests.browser.steps import maps, settle, tile_centre, visit  # noqa: E402  likewise
from tests.browser.test_plan import of_plan, start  # noqa: E402  likewise
from viz.plans.folder import TEXTS, read_plans  # noqa: E402  likewise

PICTURES = ROOT / "docs" / "pictures"
HOST = "layerglass.example"  # the pictures name no real machine
LAPTOP = {"viewport": {"width": 1440, "height": 900}}
PROJECTOR = {"viewport": {"width": 1920, "height": 1080}}
EDGES = {"model": "efficientnet_lite0", "layer": "stem.conv", "sample": "cat"}
ANSWERS = 2, 12, 2, 13, 12, 2  # channels in which outlines are seen; the first is on a phone's first screen
COLOURS = 256  # enough for what a page shows, at a third of the size
ROUNDS = 2  # in which they come nearer to those of the screen
PATIENCE = 60_000


@contextmanager
def arriving(browser: Browser, **how: Any) -> Iterator[Page]:
    """The page of one more visitor, who was invited before."""
    context = browser.new_context(**how)
    context.set_default_timeout(PATIENCE)
    context.add_init_script("localStorage.setItem('layerglass.invited', '1')")
    yield context.new_page()
    context.close()


@contextmanager
def taught(
    browser: Browser, server: str, students: int, *, screen: dict[str, Any], **view: str
) -> Iterator[tuple[Page, list[Page]]]:
    """A teacher, and students whose phones show the maps; the first phone is dark."""
    with ExitStack() as stack:
        teacher = visit(stack.enter_context(arriving(browser, **screen)), server, **view)
        code = open_class(teacher)
        phones = []
        for number in range(students):
            scheme = "light" if number else "dark"
            phones.append(stack.enter_context(arriving(browser, **PHONE, color_scheme=scheme)))
            join_by_link(phones[-1], server, code)
        yield teacher, phones


def seen(page: Page) -> Image.Image:
    """What is on screen, once everything is drawn."""
    page.wait_for_timeout(3000)
    return Image.open(BytesIO(page.screenshot()))


def keep(name: str, screen: Image.Image) -> None:
    """Write a screen into a picture."""
    screen.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, ROUNDS).save(
        PICTURES / f"{name}.png", optimize=True
    )
    print(f"docs/pictures/{name}.png")


def board(browser: Browser, server: str) -> None:
    """The board on a projector, with two who have come."""
    with taught(browser, server, 2, screen=PROJECTOR) as (teacher, _):
        part(teacher, "code").click()
        expect(teacher.locator(".lg-class-count")).to_contain_text("2")
        keep("class-board", seen(teacher))


def question(browser: Browser, server: str) -> None:
    """A class that is asked to click a map, on the teacher's laptop and on a phone; nothing is shown yet.

    No page comes to rest while a class is asked, as it goes on listening: what is waited for are the answers.
    """
    with taught(browser, server, len(ANSWERS), screen=LAPTOP, **EDGES) as (teacher, phones):
        ask_ready(teacher, "map")
        tapping, *typing = phones
        expect(card(tapping)).to_be_visible()
        settle(tapping)
        x, y = tile_centre(tapping, ANSWERS[0])
        maps(tapping).tap(position={"x": x, "y": y})
        for phone, channel in zip(typing, ANSWERS[1:], strict=True):
            type_answer(phone, str(channel))
        expect(card(teacher)).to_contain_text(f"{len(ANSWERS)} of {len(ANSWERS)} have answered")
        expect(card(tapping)).to_contain_text(f"Your answer: channel {ANSWERS[0]}.")
        keep("class-question", seen(teacher))
        keep("class-answer", seen(tapping))


def plan(browser: Browser, server: str) -> None:
    """A ready lesson at its second step, on the teacher's laptop: sentence, note, clock and question."""
    lesson = read_plans(TEXTS, "en")[0]
    with taught(browser, server, 2, screen=LAPTOP) as (teacher, phones):
        start(teacher, lesson.title)
        of_plan(teacher, "next").click()
        for page in (teacher, *phones):
            maps(page, "stem.conv").wait_for()
        expect(of_plan(teacher, "steps")).to_have_text(f"2 of {len(lesson.steps)}")
        keep("class-plan", seen(teacher))


def main() -> None:
    """Take the pictures."""
    expect.set_options(timeout=PATIENCE)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), settings={"LAYERGLASS_HOSTS": HOST}) as server,
        sync_playwright() as playwright,
    ):
        found = f"--host-resolver-rules=MAP {HOST}:80 127.0.0.1:{urlsplit(server).port}"
        browser = playwright.chromium.launch(executable_path=find(), args=[*QUIET, found])
        for take in (board, question, plan):
            take(browser, f"http://{HOST}")
        browser.close()


if __name__ == "__main__":
    main()
