"""Takes the pictures in ``docs/pictures/`` from the real page: ``make screenshots``."""

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import find  # noqa: E402  the path has to be known first
from tests.browser.conftest import QUIET, serving  # noqa: E402  likewise
from viz.__main__ import main as run_command  # noqa: E402  likewise

PICTURES = ROOT / "docs" / "pictures"
PARTS = PICTURES / "parts.json"  # what each shows: a test compares it with what the page has
BUTTONS = "[data-part=view] [data-value]"


@dataclass(frozen=True)
class Shot:
    """One picture: its file, the window, the colours, and the view in the page's address.

    ``drawn`` is what is waited for, ``click`` what is clicked then, and ``then`` what that brings on screen;
    there ``keys`` are pressed.
    """

    name: str
    view: dict[str, str]
    width: int = 1366
    height: int = 768
    scheme: str = "light"
    ratio: float = 1.0
    drawn: str = "img[data-layer]"
    click: str = ""
    then: str = ""
    keys: tuple[str, ...] = ()


FIGURE = "figure sample:cat sample:coffee --panel photonet stage1 --panel lenet conv2 --photo --over --dpi 90"
RESNET = {"model": "resnet50", "weights": "random", "layer": "layer1.1.conv2", "sample": "cat"}
PRESENTED = {"sample": "astronaut", "layer": "stage2.block1", "present": "1"}
WRITTEN = {"model": "resnet18", "weights": "random", "layer": "layer1.0.bn2"}
NUMBER = {"model": "photonet", "layer": "stage1.1.conv2"}
ESPRESSO = {"view": "gradients", "sample": "coffee", "layer": "stage6.block1"}
SHOTS = (
    Shot("page", {}),
    Shot("projector", PRESENTED, width=1920, height=1080, scheme="dark"),
    Shot("phone", {}, width=390, height=844, ratio=2.0),
    Shot("chinese", {"model": "lenet", "lang": "zh"}, click=".lg-kind-ask", then=".lg-kind"),
    Shot("layers", RESNET | {"view": "layers"}, scheme="dark", drawn=".lg-overview img"),
    Shot("number", NUMBER, click=".lg-large", then=".lg-number-parts"),
    Shot(
        "reading",
        NUMBER,
        height=900,
        click=".lg-kind-ask",
        then=".lg-reading:has(.lg-squares)",
        keys=("End",),
    ),
    Shot("transformer", RESNET | {"model": "vit_b_16", "layer": "encoder.layers.encoder_layer_3.mlp"}),
    Shot("compare", {"model": "lenet", "view": "compare"}),
    Shot("gradients", ESPRESSO, drawn=".lg-over[src]"),
    Shot("hooks", WRITTEN | {"view": "hooks", "step": "22"}, scheme="dark", drawn=".lg-event-maps img"),
    Shot("course", {"view": "course"}, drawn=".lg-lessons h3"),
    Shot("quiz", {"view": "quiz", "seed": "78", "level": "easy"}, drawn=".lg-quiz-choices img"),
)


def take(browser: Browser, server: str, shot: Shot) -> list[str]:
    """Keep a picture of a view, as a new visitor sees it, and return the views that have buttons on it."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme=shot.scheme,  # type: ignore[arg-type]  "light" or "dark", as above
        device_scale_factor=shot.ratio,
    )
    page = context.new_page()
    page.add_init_script("localStorage.setItem('layerglass.invited', '1')")  # invited before
    page.goto(f"{server}/?{urlencode(shot.view)}")
    page.locator(shot.drawn).first.wait_for(timeout=120_000)
    if shot.click:
        page.locator(shot.click).click()
        page.locator(shot.then).wait_for()
    for key in shot.keys:
        page.locator(shot.then).press(key)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(3000)
    page.screenshot(path=PICTURES / f"{shot.name}.png")
    parts: list[str] = page.locator(BUTTONS).evaluate_all("all => all.map(each => each.dataset.value)")
    context.close()
    return parts


def main() -> None:
    """Take every picture."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find(), args=list(QUIET))
        parts = {}
        for shot in SHOTS:
            parts[shot.name] = take(browser, server, shot)
            print(f"docs/pictures/{shot.name}.png")
        browser.close()
    run_command([*FIGURE.split(), "--out", str(PICTURES / "figure.png")])
    PARTS.write_text(json.dumps(parts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
