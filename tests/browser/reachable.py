"""Random visitors: what one may do next on the page, and what its maps show."""

import random
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.steps import choose, settle

STARTS = (  # model, layer, sample: maps, tokens, heads, a transformer's stem, signals
    ("lenet", "conv2", "cat"),
    ("photonet", "stage1.0.conv1", "coffee"),
    ("patchformer", "blocks.3.attention.softmax", "cat"),
    ("patchformer", "blocks.0", "astronaut"),
    ("signalnet", "features.0", "chirp"),
)
SAMPLES = ("An astronaut", "A cup of coffee", "A rocket launch", "Test pattern: zone plate")
COLOURS = ("magma", "coolwarm", "gray", "automatic")
VIEWS = "[data-part=view] [data-value={}]"
BUTTONS = (
    ".lg-next",
    ".lg-previous",
    ".lg-remove",
    ".lg-attention-ask",
    ".lg-show button",
    ".lg-undo",
    ".lg-unit-next",
    ".lg-unit-link",
    *(VIEWS.format(view) for view in ("layer", "layers", "gradients", "compare")),
)
CHOICES = ".lg-feature select, .lg-drawing select, .lg-other select"
SLIDERS = ".lg-feature input[type=range]"
TILES = ".lg-frame img[data-layer]"
CELLS = ".lg-viewer canvas.lg-large"

# Each map and picture in sight: what it is, its own pixels in short, and how much of it shows through.
# And the number that is taken apart. Nothing while they are busy, asked in the same breath: else maps could
# come in between.
BUSY = ".lg-stage :is([aria-busy=true], [data-settling])"
SEEN = """(busy) => document.querySelector(busy) ? [] : [...document.querySelectorAll(`.lg-stage :is(
    img[data-layer], img.lg-maps, img.lg-photo, img.lg-over, canvas.lg-large, .lg-attention canvas,
    .lg-attention img, .lg-overview-grid img, .lg-number)`)]
    .filter((part) => part.checkVisibility({ checkVisibilityCSS: true }))
    .map((part) => {
        if (part.matches(".lg-number")) return [part.className, part.innerText];
        const width = part.naturalWidth ?? part.width, height = part.naturalHeight ?? part.height;
        if (!width) return [part.className, "not there yet"];
        const canvas = document.createElement("canvas");
        Object.assign(canvas, { width, height });
        canvas.getContext("2d").drawImage(part, 0, 0);
        let hash = 0x811c9dc5;
        for (const value of canvas.getContext("2d").getImageData(0, 0, width, height).data) {
            hash = Math.imul(hash ^ value, 0x01000193);
        }
        const { opacity } = getComputedStyle(part);
        return [part.className, part.dataset.layer ?? "", width, height, hash >>> 0, opacity];
    })"""
REST = 400  # milliseconds: longer than the large map waits before its values come
MOST = 60  # such rests


def act(page: Page, chance: random.Random) -> str:
    """Do one thing that a visitor can do here, and return what it was."""
    everywhere = [("sample", _sample), ("colormap", _colours), ("undo", _undo)]
    here = [(name, act) for name, act in _here(page) for _ in range(3)]
    name, do = chance.choice([*everywhere, *here])
    do(page, chance)
    settle(page)
    return name


def at_rest(page: Page) -> list[Any]:
    """Return the state of the maps once nothing changes any more; costs are agreed to."""
    before: list[Any] = []
    for _ in range(MOST):
        if (ask := page.locator(".lg-asking button").first).count():
            ask.click()
        page.wait_for_timeout(REST)
        seen = page.evaluate(SEEN, BUSY)
        if seen and seen == before and "not there yet" not in str(seen):
            return list(seen)
        before = seen
    raise TimeoutError("the maps never came to rest")


def _here(page: Page) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for selector in BUTTONS:
        parts = page.locator(f"{selector}:visible:enabled")
        if parts.count():
            found.append((selector, lambda _, chance, parts=parts: _one(parts, chance).click()))
    for selector, do in ((CHOICES, _choose), (SLIDERS, _slide), (TILES, _click), (CELLS, _click)):
        parts = page.locator(f"{selector}").filter(visible=True)
        if parts.count():
            found.append((selector, lambda _, chance, parts=parts, do=do: do(_one(parts, chance), chance)))
    return found


def _one(parts: Locator, chance: random.Random) -> Locator:
    return parts.nth(chance.randrange(parts.count()))


def _choose(box: Locator, chance: random.Random) -> None:
    box.select_option(index=chance.randrange(box.locator("option").count()))


def _slide(slider: Locator, chance: random.Random) -> None:
    least, most, step = (float(slider.get_attribute(name) or 0) for name in ("min", "max", "step"))
    steps = round((most - least) / step)
    slider.fill(f"{least + chance.randint(0, steps) * step:g}")


def _click(map_: Locator, chance: random.Random) -> None:
    box = map_.bounding_box()
    assert box is not None
    where = {"x": chance.uniform(1, box["width"] - 1), "y": chance.uniform(1, box["height"] - 1)}
    map_.click(position=where, force=True)  # type: ignore[arg-type]


def _sample(page: Page, chance: random.Random) -> None:
    choose(page, "sample", chance.choice(SAMPLES))


def _colours(page: Page, chance: random.Random) -> None:
    if page.locator("[data-part=colormap]").is_visible():
        choose(page, "colormap", chance.choice(COLOURS))


def _undo(page: Page, _: random.Random) -> None:
    page.locator(".lg-stage").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Control+z")
