"""The Tab key reaches everything that can be clicked; each has a name and shows that it has the focus."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import arrive, expect_calm, maps, settle, visit
from tests.browser.typefaces import EVERY_TYPEFACE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST = 90  # presses; the page has about half as many stops
CONTROLS = {
    "language": ".st-key-lang [role=radio]",
    "upload": ".st-key-upload button",
    "camera": ".st-key-camera input",
    "sample": ".st-key-sample input",
    "model": ".st-key-model input",
    "weights": ".st-key-weights [role=radio]",
    "layer": "[data-part=layer]",
    "tree": ".lg-tree [role=treeitem]",
    "view": "[data-part=view] [role=radio]",
    "invitation": ".lg-invitation button",
    "ribbon": ".lg-ribbon button",
    "explanation": ".lg-kind-ask",
    "next layer": ".lg-next",
    "presentation": ".lg-present",
    "help": ".lg-ask",
    "value": ".lg-options select",
    "remove": ".lg-remove",
    "edit": ".lg-edit summary",
    "large map": ".lg-large",
    "opacity": ".lg-overlay input",
    "downloads": ".lg-downloads summary",
    "colours": "[data-part=colormap]",
    "scale": "[data-part=scale]",
    "order": "[data-part=order]",
}
# Which control has the focus, whether it has a name, and whether anything of it or around it changes colour.
FOCUSED = """controls => {
    const here = document.activeElement;
    if (!here || here === document.body) return null;
    const name = Object.keys(controls).find((each) => here.closest(controls[each]));
    const named = here.ariaLabel || here.textContent.trim() || here.labels?.[0]?.textContent || here.title;
    return [name ?? "", Boolean(named), here.outerHTML.slice(0, 120)];
}"""


def test_tab_meets_every_control_and_each_has_a_name(page: Page, server: str) -> None:
    """We press Tab from the top of the page to its end; no control traps the focus."""
    visit(page, server, model="lenet", layer="conv2")
    met: dict[str, int] = {}
    nameless: list[str] = []
    for press in range(MOST):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED, CONTROLS)
        if found is None:
            break
        met.setdefault(found[0], press)
        nameless += [] if found[1] else [found[2]]
    assert sorted(set(CONTROLS) - set(met)) == []
    assert nameless == []
    order = [met[name] for name in ("language", "upload", "model", "layer", "view", "next layer", "colours")]
    assert order == sorted(order)
    settle(page)
    expect_calm(page)


def test_what_has_the_focus_can_be_seen(page: Page, server: str) -> None:
    """Our own buttons have an outline when the keyboard comes to them."""
    visit(page, server, model="lenet", layer="conv2")
    page.locator(".lg-viewer").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        style = page.evaluate(
            "(() => { const here = document.activeElement, style = getComputedStyle(here);"
            " return [style.outlineStyle, parseFloat(style.outlineWidth), here.outerHTML]; })()"
        )
        assert style[0] != "none", style
        assert style[1] >= 1, style


# The ring of what has the focus; it may be drawn around what stands for it.
RING = """() => {
    const here = document.activeElement;
    if (here === document.body) return null;
    const near = [here, here.parentElement, here.closest("label"), ...here.children];
    const ring = (each) => {
        const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(each);
        if (outlineStyle === "none") return "";
        return `${outlineStyle} ${outlineWidth} ${outlineColor} ${Math.abs(parseFloat(outlineOffset))}`;
    };
    const rings = [...near, here.querySelector(".lg-frame")].filter(Boolean).map(ring);
    return rings.find(Boolean) ?? here.outerHTML.slice(0, 120);
}"""
RINGED = """() => [...document.querySelectorAll(":focus-visible, .lg-frame")]
    .filter((each) => getComputedStyle(each).outlineStyle !== "none").map(({ className }) => className)"""
BOXES = (
    "select, .lg-combo-input, [data-testid=stSelectbox] [role=group],"
    " [data-testid=stButtonGroup] [role=radiogroup]"
)


def test_one_focus_ring_is_around_whatever_has_the_focus(page: Page, server: str) -> None:
    """Two pixels of the accent, two pixels away (or inside, in a list that scrolls); Streamlit's too."""
    visit(page, server, model="lenet", layer="conv2")
    rings = set()
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if (ring := page.evaluate(RING)) is None:
            break
        rings.add(ring)
    assert rings == {"solid 2px rgb(11, 110, 143) 2"}


def test_a_click_leaves_no_ring(page: Page, server: str) -> None:
    """On buttons, tabs, the tree and the maps; a text says by a ring that it takes letters."""
    visit(page, server, model="lenet", layer="conv2")
    for selector in (
        ".lg-next",
        "[data-value=layer]",
        ".lg-tree .lg-line",
        ".lg-frame img",
        ".lg-edit summary",
    ):
        page.locator(selector).first.click()
        assert page.evaluate(RINGED) == [], selector
        settle(page)


@EVERY_TYPEFACE
@pytest.mark.parametrize(("touch", "height"), [(False, 40), (True, 44)])
def test_boxes_have_one_height(visitor: Callable[..., Page], server: str, touch: bool, height: int) -> None:
    """The browser's own, ours and Streamlit's; a finger gets more."""
    page = arrive(
        visitor(has_touch=touch, is_mobile=touch), server, model="lenet", layer="conv2", view="gradients"
    )
    page.locator(".lg-target .lg-combo-input").wait_for()
    page.locator(".lg-drawing select").first.wait_for()
    heights = page.locator(BOXES).evaluate_all(
        """boxes => boxes.filter((box) => box.checkVisibility())
            .map((box) => Math.round(box.getBoundingClientRect().height))"""
    )
    assert len(heights) >= 7
    assert set(heights) == {height}


def test_a_card_among_all_layers_is_opened_by_enter(page: Page, server: str) -> None:
    """Enter takes the page to the layer."""
    arrive(page, server, model="lenet", view="layers")
    card = page.locator('.lg-overview button[data-layer="pool1"]')
    card.focus()
    expect(card).to_be_focused()
    page.keyboard.press("Enter")
    maps(page, "pool1").wait_for()
