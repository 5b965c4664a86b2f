"""Makes ``docs/pictures/tour.webp``, a walk through the real page a click at a time: ``make picture``."""

import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import find  # noqa: E402  the path has to be known first
from tests.browser.conftest import QUIET, serving  # noqa: E402  likewise
from tests.browser.steps import click_tile, maps, press, settle, visit  # noqa: E402  likewise

TOUR = ROOT / "docs" / "pictures" / "tour.webp"
WIDTH, HEIGHT, BAR_HEIGHT = 1240, 740, 54
CHANNEL = 2
FINAL_SETTLING = 1500  # milliseconds for what fades in

BAR = """<body style="margin: 0; font: 600 23px/{height}px system-ui, sans-serif; text-align: center;
    color: white; background: #0b5566">{says}</body>"""

# Where a click lands within what it hits, which may move before the picture is taken.
PRESSED = """() => addEventListener("pointerdown", ({ clientX, clientY, target }) => {
    const box = target.getBoundingClientRect();
    window.pressed = { target, left: clientX - box.left, top: clientY - box.top };
}, true)"""
RING = """() => {
    document.querySelector("#tour-ring")?.remove();
    const pressed = window.pressed;
    window.pressed = null;
    if (!pressed?.target.isConnected) return;
    const box = pressed.target.getBoundingClientRect(), ring = document.createElement("div");
    ring.id = "tour-ring";
    ring.style.cssText = `position: fixed; z-index: 2000000; width: 38px; height: 38px; border-radius: 50%;
        box-sizing: border-box; border: 4px solid #e8590c; pointer-events: none;
        left: ${box.left + pressed.left - 19}px; top: ${box.top + pressed.top - 19}px`;
    document.body.append(ring);
}"""


@dataclass(frozen=True)
class Step:
    """One frame: the sentence below the page, what the visitor does for it, and how many seconds it stays."""

    says: str
    does: Callable[[Page], None]
    seconds: float = 2.4


def looks(_: Page) -> None:
    """Do nothing: the page as a visitor meets it."""


def walks_to(layer: str) -> Callable[[Page], None]:
    """Press the arrow until the layer is on screen."""

    def walks(page: Page) -> None:
        on_screen = page.locator(".lg-stage img[data-layer]")
        while on_screen.get_attribute("data-layer") != layer:
            press(page, "ArrowRight")
            page.wait_for_timeout(100)
        maps(page, layer).wait_for()

    return walks


def goes_back(page: Page) -> None:
    """Go back to the first convolution, and click one of its maps."""
    press(page, "Home")
    walks_to("stem.conv")(page)
    settle(page)
    click_tile(page, CHANNEL)


def lays_it_over(page: Page) -> None:
    """Let the picture through behind the large map."""
    page.locator(".lg-overlay input").fill("0.45")


def takes_apart(page: Page) -> None:
    """Click a cell of the large map."""
    page.locator(".lg-overlay input").fill("0")
    page.locator(".lg-large").click(position={"x": 130, "y": 60})
    page.locator(".lg-number-parts").wait_for()


def removes(page: Page) -> None:
    """Close the number, and remove the channel."""
    page.keyboard.press("Escape")
    page.locator(".lg-remove").click()
    expect(page.locator(".lg-edits")).to_contain_text("removed")


def compares(page: Page) -> None:
    """Look at a later layer, at what the removal changed in it."""
    walks_to("stage1.1.relu2")(page)
    settle(page)
    page.locator("[data-show=difference]").click()


def looks_at_all(page: Page) -> None:
    """Choose the view of all layers."""
    page.locator("[data-part=view]").get_by_text("All layers").click()
    page.locator(".lg-overview img").first.wait_for()


STEPS = (
    Step("A photo goes in, a guess comes out. What happens in between?", looks, 3.0),
    Step("→  The next layer: every channel of it, one pixel for each value", walks_to("stem.relu")),
    Step("→  On through the network …", walks_to("stage1.1.relu2"), 1.3),
    Step("→  … where maps get smaller …", walks_to("stage2.1.relu2"), 1.3),
    Step("→  … and more …", walks_to("stage3.1.relu2"), 1.3),
    Step("→  … down to the ten classes", walks_to("fc")),
    Step("Click a map, and it stands large beside the others", goes_back),
    Step("Slide the photo behind it: which edges does it answer to?", lays_it_over),
    Step("Click a cell: these inputs, times these weights, add up to it", takes_apart, 3.2),
    Step("Remove the channel …", removes),
    Step("… and see what that changes in a later layer", compares, 3.2),
    Step("Or look at all layers at once", looks_at_all, 3.0),
)


def frames(server: str) -> Iterator[Image.Image]:
    """The page after each step, with its sentence below."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(QUIET))
        context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
        bar, page = browser.new_page(viewport={"width": WIDTH, "height": BAR_HEIGHT}), context.new_page()
        page.add_init_script("localStorage.setItem('layerglass.invited', '1')")  # invited before
        visit(page, server, sample="cat")
        page.evaluate(PRESSED)
        for step in STEPS:
            step.does(page)
            settle(page)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(FINAL_SETTLING)
            page.evaluate(RING)
            bar.set_content(BAR.format(height=BAR_HEIGHT, says=step.says))
            yield above(page.screenshot(), bar.screenshot())
        browser.close()


def above(*pictures: bytes) -> Image.Image:
    """One picture of several as wide as each other, the first at the top."""
    parts = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    whole = Image.new("RGB", (parts[0].width, sum(part.height for part in parts)))
    top = 0
    for part in parts:
        whole.paste(part, (0, top))
        top += part.height
    return whole


def main() -> None:
    """Walk through the page, and keep every frame exactly as it was on screen."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        first, *others = frames(server)
    stays = [round(1000 * step.seconds) for step in STEPS]
    first.save(TOUR, save_all=True, append_images=others, duration=stays, loop=0, lossless=True, method=6)
    print(f"{TOUR.relative_to(ROOT)}: {len(STEPS)} frames, {TOUR.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
