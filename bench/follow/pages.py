"""Teacher and one follower in real browsers, with their times.

They note when a key was pressed, and when its maps were painted.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlencode

from playwright.async_api import Browser, Page, async_playwright

from tests.browser.chromium import find
from tests.browser.conftest import SCREEN
from tests.browser.engine import QUIET

# The moment of each key, and of the first frame with each layer's maps, in seconds of the wall clock.
WATCH = """
window.pressed = []; window.painted = {};
const now = (at) => (performance.timeOrigin + at) / 1000;
const note = (event) => { if (event.key === "ArrowRight") pressed.push(now(event.timeStamp)); };
addEventListener("keydown", note, true);
new MutationObserver(() => {
    const layer = document.querySelector(".lg-maps")?.dataset.layer;
    if (!layer || layer in painted) return;
    painted[layer] = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => { painted[layer] = now(performance.now()); }));
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-layer"] });
"""
LAYER = ".lg-maps[data-layer]"
PATIENCE = 120_000


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """A Chromium."""
    async with async_playwright() as playwright:
        made = await playwright.chromium.launch(executable_path=find(), args=[*QUIET])
        yield made
        await made.close()


async def teaching(chromium: Browser, address: str, view: dict[str, str]) -> tuple[Page, str]:
    """Open a class; return the teacher's page, and the class's code."""
    page = await _visitor(chromium)
    await page.goto(f"{address}/?{urlencode(view)}")
    await page.locator(LAYER).wait_for()
    await page.locator("[data-part=class]").click()
    await page.locator("[data-part=class_open]").click()
    code = await page.locator(".lg-class-code").inner_text()
    await page.locator("[data-part=class_begin]").click()
    return page, re.sub(r"\s", "", code)


async def following(chromium: Browser, address: str, code: str) -> Page:
    """Return the page of a follower."""
    page = await _visitor(chromium)
    await page.goto(f"{address}/?class={code}")
    await page.locator(".lg-class-bar[data-state=follows]").wait_for()
    await page.locator(LAYER).wait_for()
    return page


async def steps(teacher: Page, count: int, every: float) -> dict[str, float]:
    """Press for one layer after the other, and return the times.

    A time is that of a layer's key, in seconds of the wall clock.
    """
    pressed = dict[str, float]()
    await teacher.locator(".lg-viewer").focus()
    for turn in range(count):
        begun = time.monotonic()
        before = await teacher.locator(LAYER).get_attribute("data-layer")
        await teacher.keyboard.press("ArrowRight")
        await teacher.locator(f'.lg-maps[data-layer]:not([data-layer="{before}"])').wait_for()
        layer = await teacher.locator(LAYER).get_attribute("data-layer")
        pressed[str(layer)] = await teacher.evaluate(f"pressed[{turn}]")
        await asyncio.sleep(max(0.0, every - (time.monotonic() - begun)))
    return pressed


async def _visitor(chromium: Browser) -> Page:
    context = await chromium.new_context(viewport=SCREEN)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page = await context.new_page()
    await page.add_init_script(WATCH)
    return page
