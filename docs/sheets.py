"""Takes every view on every kind of screen, and lays the pictures on sheets to look at: ``make sheets``.

There is a sheet for each kind of screen and language, in ``out/sheets/``: a column for each view, light above
dark. Nothing is compared; a person opens them. ``--only phone`` takes one kind of screen.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import find  # noqa: E402  the path has to be known first
from tests.browser.conftest import QUIET  # noqa: E402  likewise
from tests.browser.serving import serving  # noqa: E402  likewise

SHEETS = ROOT / "out" / "sheets"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES = ("en", "zh")
GAP = 12
RUNNING = "[data-testid=stApp]:not([data-test-script-state=notRunning])"
BUSY = f":is({RUNNING}, .lg-stage [aria-busy=true], [data-settling])"


@dataclass(frozen=True)
class Screen:
    """A kind of screen: its window in CSS pixels, whether fingers touch it, its pictures' width."""

    name: str
    width: int
    height: int
    touch: bool
    laid: int


SCREENS = (
    Screen("laptop", 1366, 768, touch=False, laid=910),
    Screen("projector", 1920, 1080, touch=False, laid=960),
    Screen("tablet", 820, 1180, touch=True, laid=547),
    Screen("phone", 390, 844, touch=True, laid=390),
)
VIEWS: dict[str, dict[str, str]] = {
    "first": {},
    "layer": {"layer": "stage3.block1.depthwise.conv", "sample": "coffee"},
    "layers": {"view": "layers"},
    "gradients": {"view": "gradients", "sample": "coffee"},
    "compare": {"view": "compare", "layer": "stem.conv"},
    "hooks": {"view": "hooks", "model": "lenet"},
    "lens": {"view": "lens", "model": "lenet"},
    "reduced": {"view": "reduced", "layer": "stage3.block1.depthwise.conv"},
    "unit": {"view": "unit", "layer": "stage3.block1.depthwise.conv", "channel": "3"},
    "course": {"view": "course"},
    "quiz": {"view": "quiz", "seed": "78", "level": "easy"},
    "presented": {"layer": "stage2.block1", "present": "1"},
}


def take(page: Page, server: str, view: dict[str, str]) -> Image.Image:
    """What the window shows once the view is drawn."""
    page.goto(f"{server}/?{urlencode(view)}")
    page.locator(".lg-stage :is(img, h3):visible").first.wait_for(timeout=120_000)
    page.wait_for_timeout(600)
    page.locator(BUSY).first.wait_for(state="detached", timeout=120_000)
    page.wait_for_timeout(2500)  # blooms and fades come to their end
    with tempfile.TemporaryDirectory() as folder:
        page.screenshot(path=(file := Path(folder) / "shot.png"))
        return Image.open(file).convert("RGB")


def row(
    browser: Browser, server: str, screen: Screen, scheme: Literal["light", "dark"], language: str
) -> Iterator[Image.Image]:
    """Every view on one screen, as a new visitor of that scheme and language sees it."""
    for view in VIEWS.values():
        context = browser.new_context(
            viewport={"width": screen.width, "height": screen.height},
            color_scheme=scheme,
            has_touch=screen.touch,
            is_mobile=screen.touch,
            device_scale_factor=2 if screen.touch else 1,
        )
        shot = take(context.new_page(), server, view | {"lang": language})
        context.close()
        size = (screen.laid, screen.laid * screen.height // screen.width)
        yield shot.resize(size, Image.Resampling.LANCZOS)


def sheet(rows: list[list[Image.Image]]) -> Image.Image:
    """The pictures in a grid, a gap between them; all have one size."""
    wide, high = rows[0][0].size
    whole = Image.new("RGB", (len(rows[0]) * (wide + GAP) + GAP, len(rows) * (high + GAP) + GAP), "#808080")
    for down, shots in enumerate(rows):
        for across, shot in enumerate(shots):
            whole.paste(shot, (GAP + across * (wide + GAP), GAP + down * (high + GAP)))
    return whole


def main() -> None:
    """Take the sheets that are asked for."""
    parser = argparse.ArgumentParser(description="Every view on every kind of screen, on sheets.")
    parser.add_argument("--only", choices=[screen.name for screen in SCREENS], help="one kind of screen")
    only = parser.parse_args().only
    SHEETS.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find(), args=list(QUIET))
        for screen in (screen for screen in SCREENS if only in (None, screen.name)):
            for language in LANGUAGES:
                rows = [list(row(browser, server, screen, scheme, language)) for scheme in SCHEMES]
                sheet(rows).save(file := SHEETS / f"{screen.name}-{language}.png")
                print(file.relative_to(ROOT), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
