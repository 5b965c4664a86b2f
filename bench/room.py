"""Share of their room that the maps fill, in Chromium.

The windows have the sizes of two laptops. Run it as ``python bench/room.py``; it prints rows for
``bench/RESULTS.md``. The *room* of a mosaic is the space between the controls above it and those below it, as
wide as the window leaves it beside the sidebar and the panel of the channel. The maps fill a share of its
width, of its height, and of its area.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import ADVICE, find
from tests.browser.serving import serving
from tests.browser.steps import visit

MODEL = "efficientnet_lite0"
WINDOWS = ((1366, 768), (1440, 900))
LAYERS = ("stem.conv", "stage1", "stage3.block1.depthwise.conv", "stage5.block1", "head.conv", "head.pool")
EDGE = 13  # pixels: the padding at the page's end
MEASURE = """edge => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    const [maps, main, foot, choices] = [".lg-maps", ".lg-main", ".lg-foot", ".lg-drawing"].map(box);
    const gap = parseFloat(getComputedStyle(document.querySelector(".lg-foot")).marginTop);
    const below = choices.bottom - foot.top + gap + edge;
    return [maps.width, maps.height, main.width, innerHeight - maps.top - below];
}"""


def shares(page: Page, address: str, layer: str) -> list[str]:
    """Return a row's cells: the layer's room and its filled shares.

    The room is in pixels.
    """
    visit(page, address, model=MODEL, layer=layer)
    wide, high, most_wide, most_high = page.evaluate(MEASURE, EDGE)
    across, down = wide / most_wide, min(1, high / most_high)
    room = f"{most_wide:.0f} × {most_high:.0f}"
    return [room, f"{across:.0%}", f"{down:.0%}", f"{across * down:.0%}", f"**{max(across, down):.0%}**"]


def main() -> None:
    """Measure every layer in every window."""
    chromium = find()
    if chromium is None:
        raise SystemExit(ADVICE)
    print(
        "The room is the space between the controls above and below the maps, as wide as the window leaves\n"
        "it beside the sidebar and the channel's panel.\n"
    )
    print("| window | layer | room, px | width | height | area | width or height (goal: 80 %) |")
    print("|---|---|---|---:|---:|---:|---:|")
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home)) as address,
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        ) as browser,
    ):
        for width, height in WINDOWS:
            page = browser.new_page(viewport={"width": width, "height": height})
            for layer in LAYERS:
                print(
                    "|",
                    " | ".join([f"{width}×{height}", layer, *shares(page, address, layer)]),
                    "|",
                    flush=True,
                )
            page.close()


if __name__ == "__main__":
    main()
