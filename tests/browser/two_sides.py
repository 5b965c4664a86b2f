"""Steps and readings of the comparison: its sides, the server's facts of them, and their pixels."""

import re

import matplotlib as mpl
import numpy as np
from matplotlib.colors import Normalize
from playwright.sync_api import Locator, Page

from tests.browser.steps import go, pixels, settle


def side(page: Page, name: str, layer: str = "") -> Locator:
    """The mosaic of one side: ``left``, ``right`` or ``difference``; of this layer, if one is named."""
    shown = f'[data-layer="{layer}"]' if layer else "[data-layer]"
    return page.locator(f'.lg-compare [data-side="{name}"] img.lg-maps{shown}')


def compare(page: Page, server: str, **view: str) -> Page:
    """Open the view, and wait until both sides are there."""
    go(page, server, view="compare", **view)
    for name in ("left", "right"):
        side(page, name).wait_for()
    settle(page)
    return page


def choose_other(page: Page, box: str, option: str) -> None:
    """Choose something of the other side, in a box that can be searched or in a plain one."""
    settle(page)
    field = page.locator(f".lg-other [data-part={box}]")
    if field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(label=option)
        return
    field.click()
    field.fill(option)
    options = page.locator(f".lg-other-{box} [role=option]")
    options.filter(has_text=re.compile(f"^{re.escape(option)}")).first.click()


def chosen_other(page: Page, box: str) -> str:
    """Return the text that a box of the other side shows."""
    field = page.locator(f".lg-other [data-part={box}]")
    return str(
        field.evaluate("field => field.tagName === 'SELECT' ? field.selectedOptions[0].text : field.value")
    )


def notices_of_other(page: Page) -> Locator:
    """Return the notices of what the look asks of the other side in vain, a sentence each."""
    return page.locator(".lg-compare .lg-notice")


def comparison_facts(page: Page) -> dict:
    """Return the server's facts of the comparison on screen."""
    return dict(
        page.evaluate("""async () => {
        const image = document.querySelector('[data-side="left"] img.lg-maps');
        return (await fetch(image.src.replace("pair.left.png", "pair.json"))).json();
    }""")
    )


def assert_side_shows(page: Page, name: str, values: np.ndarray, facts: dict, order: list[int]) -> None:
    """Every tile of a side, in this order, in the colours that matplotlib gives to its values."""
    view, shown = facts[name], pixels(side(page, name))
    assert list(view["geometry"]["order"]) == order
    colours = mpl.colormaps[view["colormap"]](Normalize(view["vmin"], view["vmax"])(values), bytes=True)
    height, width, columns = values.shape[1], values.shape[2], view["geometry"]["columns"]
    for place, channel in enumerate(order):
        top, left = (
            each * (size + 1) for each, size in zip(divmod(place, columns), (height, width), strict=True)
        )
        tile = shown[top : top + height, left : left + width].astype(int)
        assert (abs(tile - colours[channel]) <= 2).mean() > 0.999
