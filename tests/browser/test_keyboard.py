"""Everything can be reached by the keyboard, and quick fingers do no harm."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    choose,
    choose_in_tree,
    chosen,
    expect_calm,
    go,
    maps,
    press,
    settle,
    tile_centre,
    tree_item,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

CLICK_MANY = """async count => {
    const ran = document.querySelectorAll("[data-part=tree] [role=treeitem]:not(.lg-silent)");
    const rows = [...ran].slice(0, count);
    for (const row of rows) {
        row.querySelector(".lg-line").click();
        await new Promise((next) => setTimeout(next, 15));
    }
    return rows.at(-1).dataset.name;
}"""


def test_arrow_keys_walk_through_layers_and_channels(page: Page, server: str) -> None:
    """Left and right, up and down, Home and End."""
    go(page, server, model="lenet", layer="conv2")
    press(page, "ArrowRight")
    maps(page, "relu2").wait_for()
    press(page, "ArrowLeft", "ArrowLeft")
    maps(page, "pool1").wait_for()
    press(page, "End")
    maps(page, "fc3").wait_for()
    press(page, "ArrowRight")
    press(page, "Home")
    maps(page, "conv1").wait_for()
    title = page.locator(".lg-channel-title")
    first = int(title.inner_text().removeprefix("channel "))
    press(page, "ArrowDown", "ArrowDown")
    expect(title).to_have_text(f"channel {(first + 2) % 6}")
    press(page, "ArrowUp", "ArrowUp", "ArrowUp")
    expect(title).to_have_text(f"channel {(first - 1) % 6}")
    settle(page)
    expect_calm(page)


def test_a_map_under_the_pointer_has_no_frame_where_there_is_no_such_map(page: Page, server: str) -> None:
    """The keys lead on to a layer with fewer channels while the pointer rests; back there, it is framed."""
    go(page, server, model="lenet", layer="relu2")
    frame = page.locator(".lg-mark.lg-hovered")
    x, y = tile_centre(page, 10)
    maps(page).hover(position={"x": x, "y": y})
    expect(frame).to_be_visible()
    press(page, "ArrowLeft")
    maps(page, "conv2").wait_for()
    expect(frame).to_be_visible()
    press(page, "ArrowLeft")
    maps(page, "pool1").wait_for()
    expect(page.locator(".lg-selected")).to_be_visible()
    expect(frame).to_be_hidden()


def test_slash_searches_and_question_mark_helps(page: Page, server: str) -> None:
    """These are the two keys to know; in a text box they only type."""
    go(page, server, model="lenet", layer="conv2")
    press(page, "?")
    expect(page.locator(".lg-help")).to_be_visible()
    press(page, "?")
    expect(page.locator(".lg-help")).to_be_hidden()
    press(page, "/")
    field = page.locator("[data-part=layer]").first
    expect(field).to_be_focused()
    page.keyboard.type("fc2?")
    page.keyboard.press("Backspace")
    expect(page.locator(".lg-help")).to_be_hidden()
    page.keyboard.press("Enter")
    maps(page, "fc2").wait_for()
    settle(page)
    assert chosen(page, "layer") == "fc2"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("MaxPool2d", "pool1"),
        ("2 conv", "conv2"),
        ("16x5x5", "pool2"),
        ("16 × 10 × 10", "conv2"),
    ],
)
def test_a_search_finds_types_parts_and_shapes(page: Page, server: str, typed: str, found: str) -> None:
    """It says how many, marks what was typed, and Enter shows the first; ``→`` goes on from there."""
    go(page, server, model="lenet", layer="fc1")
    press(page, "/")
    page.keyboard.type(typed)
    place = page.locator(".lg-layer-box")
    count = place.locator("[role=option]").count()
    expect(place.get_by_role("status")).to_have_text(f"{count} of 12")
    expect(place.locator("[role=option]").first.locator("mark").first).to_be_visible()
    page.keyboard.press("Enter")
    maps(page, found).wait_for()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-part=layer]").first).not_to_have_value(found)


def test_a_search_in_vain_says_so(page: Page, server: str) -> None:
    """Escape leaves it, and the layer stays."""
    go(page, server, model="lenet", layer="conv2")
    press(page, "/")
    page.keyboard.type("resnet")
    expect(page.locator(".lg-layer-box").get_by_role("status")).to_have_text("Nothing found.")
    page.keyboard.press("Escape")
    expect(page.locator("[data-part=layer]").first).to_have_value("conv2")
    expect(page.locator(".lg-layer-box").get_by_role("status")).to_have_text("")


def test_the_tree_is_walked_by_keys(page: Page, server: str) -> None:
    """Down, unfold, choose, fold; the focus stays in the tree after the page has followed."""
    go(page, server, model="resnet18", weights="random", layer="conv1")
    tree_item(page, "conv1").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    maps(page, "layer1.0").wait_for()
    expect(page.locator("[data-part=layer]").first).to_have_value("layer1.0")
    settle(page)
    expect(tree_item(page, "layer1.0")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(tree_item(page, "layer1")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(tree_item(page, "layer1")).to_have_attribute("aria-expanded", "false")
    expect(tree_item(page, "layer1.0")).to_be_hidden()


def test_keys_stay_with_the_viewer_after_a_choice_by_mouse(page: Page, server: str) -> None:
    """A select box that was used once does not take the focus back when its value follows the viewer."""
    go(page, server, model="lenet", layer="conv1")
    choose(page, "layer", "conv2")
    maps(page, "conv2").wait_for()
    choose_in_tree(page, "pool1")
    page.locator(".lg-viewer").focus()
    for layer in ("conv2", "relu2", "pool2"):
        page.keyboard.press("ArrowRight")
        maps(page, layer).wait_for()
        expect(page.locator("[data-part=layer]").first).to_have_value(layer)
        settle(page)


def test_twenty_quick_clicks_end_on_the_last_layer(page: Page, server: str) -> None:
    """Viewer, dropdown, tree and address agree on the last layer, and nothing failed in between."""
    go(page, server, model="photonet")
    last = page.evaluate(CLICK_MANY, 20)
    maps(page, last).wait_for()
    expect(page.locator("[data-part=layer]").first).to_have_value(last)
    page.wait_for_url(f"**layer={last}**")
    expect(tree_item(page, last)).to_have_attribute("aria-selected", "true")
    settle(page)
    maps(page, last).wait_for()
    expect_calm(page)


def test_a_held_key_ends_where_it_was_let_go(page: Page, server: str) -> None:
    """We send thirty presses like a held key; the page follows to the same layer."""
    go(page, server, model="photonet")
    press(page, "Home")
    press(page, *["ArrowRight"] * 20, *["ArrowLeft"] * 10)
    shown = page.locator(".lg-layer").evaluate("heading => heading.firstChild.textContent")
    maps(page, shown).wait_for()
    expect(page.locator("[data-part=layer]").first).to_have_value(shown)
    settle(page)
    maps(page, shown).wait_for()
    expect_calm(page)
