"""Small things that a visitor meets everywhere: shapes, menus, steps back, digits, signs of help."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import address, box_of, go, maps, press, settle, tree_item
from tests.browser.test_one_number import click_cell, section
from tests.browser.typefaces import EVERY_TYPEFACE

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

LONG = "stage5.block2.depthwise.conv"
CUT = """() => {
    const tree = document.querySelector("[data-part=tree]").getBoundingClientRect();
    return [...document.querySelectorAll("[data-part=tree] .lg-line")].filter((line) => {
        const { top, bottom, height } = line.getBoundingClientRect();
        const shape = line.querySelector(".lg-shape").getBoundingClientRect();
        const half = height && top < tree.bottom - 1 && bottom > tree.bottom + 1;
        return half || shape.right > line.getBoundingClientRect().right + 1;
    }).map((line) => line.textContent);
}"""


@EVERY_TYPEFACE
def test_no_row_of_the_tree_is_cut(page: Page, server: str) -> None:
    """The shape ends whole where long names and four sizes meet, with all of it in the row's title."""
    go(page, server, model="raft_small", weights="random", layer="feature_encoder.convnormrelu")
    assert page.evaluate(CUT) == []
    row = tree_item(page, "feature_encoder.convnormrelu").locator("> .lg-line")
    expect(row).to_have_attribute(
        "title", "feature_encoder.convnormrelu · Conv2dNormActivation · 2 × 32 × 128 × 128"
    )
    assert row.inner_text().replace("\n", " ").endswith("128 × 128")


def test_the_download_menu_closes_by_itself(page: Page, server: str) -> None:
    """After a choice, by Escape, and by a click elsewhere; Escape gives the keyboard back to its name."""
    go(page, server)
    menu, summary = page.locator(".lg-downloads"), page.locator(".lg-downloads summary")
    summary.click()
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(summary).to_be_focused()
    summary.click()
    page.locator(".lg-facts").click()
    expect(menu).not_to_have_attribute("open", "")
    summary.click()
    with page.expect_download():
        menu.locator("a").filter(has_text="numbers (NPZ)").click()
    expect(menu).not_to_have_attribute("open", "")


def test_one_undo_takes_back_a_card_of_all_layers(page: Page, server: str) -> None:
    """A click on a card chooses layer and view in one step."""
    go(page, server, layer="stem.conv")
    page.get_by_role("radio", name="All layers").click()
    page.locator(".lg-overview button[data-layer='stage2.1.conv1']").click()
    maps(page, "stage2.1.conv1").wait_for()
    press(page, "Control+z")
    expect(page.locator(".lg-overview-grid")).to_be_visible()
    assert (address(page)["view"], address(page).get("layer")) == ("layers", "stem.conv")


def test_back_after_side_by_side_is_what_was_there_before(page: Page, server: str) -> None:
    """The address too: nothing of the comparison stays behind."""
    go(page, server, layer="stem.conv", edit="stem.conv:zero:0")
    before = address(page)
    page.locator(".lg-beside").click()
    page.locator(".lg-compare .lg-sides img").first.wait_for()
    page.go_back()
    maps(page, "stem.conv").wait_for()
    settle(page)
    assert address(page) == before


def test_compare_says_which_layer_stands_in_for_the_same_one(page: Page, server: str) -> None:
    """LeNet has none of PhotoNet's stages, so B stays at another layer; the box and a sentence say so."""
    go(page, server, layer="stage1.1.conv1", view="compare", with_model="lenet")
    page.locator(".lg-compare [data-side=right] img.lg-maps").wait_for()
    shown = page.locator(".lg-compare [data-side=right] img.lg-maps").get_attribute("data-layer")
    expect(page.locator("[data-part=with_layer]")).to_have_value(f"{shown} instead")
    expect(page.locator(".lg-compare .lg-note")).to_contain_text(f"B has no stage1.1.conv1: it shows {shown}")


def test_a_cell_has_one_index_and_four_digits_until_all_are_asked_for(page: Page, server: str) -> None:
    """Channel, row, column under the pointer and in the heading; PyTorch's own index is named as such."""
    go(page, server, model="lenet", layer="conv2", channel="0")
    click_cell(page, 3, 6)
    head = section(page).locator("h3")
    expect(head.locator("code")).to_contain_text("[0, 3, 6] = ")
    expect(head).to_contain_text("in PyTorch: output[0, 0, 3, 6]")
    short = head.locator("code").inner_text().split("= ")[1]
    assert len(short.strip("−0.").replace(".", "")) <= 4
    expect(page.locator(".lg-value")).to_have_text(f"[0, 3, 6] = {short}")
    page.get_by_role("button", name="All digits").click()
    expect(page.get_by_role("button", name="All digits")).to_have_attribute("aria-pressed", "true")
    whole = head.locator("code").get_attribute("title") or ""
    assert len(whole) > len(short)
    expect(head.locator("code")).to_have_text(f"[0, 3, 6] = {whole}")


@EVERY_TYPEFACE
def test_no_line_ends_within_a_shape_of_all_layers(page: Page, server: str) -> None:
    """A card's shape stands on one line, whatever its type is called."""
    go(page, server, view="layers")
    page.locator(".lg-overview-grid button").first.wait_for()
    lines = page.locator(".lg-card-about span:last-child").evaluate_all(
        "shapes => shapes.map((shape) => shape.getClientRects().length)"
    )
    assert lines
    assert set(lines) == {1}
    texts = page.locator(".lg-card-about span:last-child").all_inner_texts()
    assert all(" " not in text for text in texts)


def test_signs_of_help_open_for_keys_too(page: Page, server: str) -> None:
    """Colours, scale and operations say more by a sign that Tab reaches, and Escape closes it."""
    go(page, server)
    for sign, words in (
        ("More about “Colours”", "Colours follow one rule"),
        ("More about “Scale”", "One scale"),
        ("More about “with operations", "Functions"),
    ):
        summary = page.locator(f"summary[aria-label^='{sign}']")
        summary.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".lg-help-sign[open] p")).to_contain_text(words)
        page.keyboard.press("Escape")
        expect(page.locator(".lg-help-sign[open]")).to_have_count(0)
        expect(summary).to_be_focused()


def test_a_single_number_is_not_laid_over_the_picture(page: Page, server: str) -> None:
    """It would cover all of it with one colour; a map of several numbers can be laid."""
    go(page, server, model="lenet", layer="fc1")
    expect(page.locator(".lg-overlay")).to_be_hidden()
    press(page, "Home")
    maps(page, "conv1").wait_for()
    expect(page.locator(".lg-overlay")).to_be_visible()


@EVERY_TYPEFACE
def test_each_event_of_the_timeline_stands_on_one_line(page: Page, server: str) -> None:
    """A long name is cut at its beginning, and whole in the row's title."""
    go(page, server, model="efficientnet_lite0", view="hooks", layer=LONG)
    rows = page.locator(".lg-events button")
    rows.first.wait_for()
    heights = set(rows.evaluate_all("rows => rows.map((row) => Math.round(row.clientHeight))"))
    assert len(heights) == 1
    expect(rows.filter(has_text=LONG).first).to_have_attribute("title", LONG)


def test_a_model_without_classes_makes_no_guess_that_could_mean_nothing(page: Page, server: str) -> None:
    """Untrained, but it would not guess if it were trained either."""
    go(page, server, model="raft_small", weights="random")
    expect(page.locator(".lg-seen p:not(.lg-knows)")).to_have_text("This model does not name classes. More")


def test_what_is_typed_after_a_click_takes_the_place_of_a_name(page: Page, server: str) -> None:
    """In Safari, each press of the mouse ends with a caret: here a listener puts it there."""
    go(page, server, layer="stem.conv")
    box = box_of(page, "layer")
    box.evaluate("box => box.addEventListener('mouseup', () => box.setSelectionRange(3, 3), { once: true })")
    box.click()
    page.keyboard.type("relu")
    expect(box).to_have_value("relu")


def test_a_name_that_is_typed_whole_comes_first(page: Page, server: str) -> None:
    """Before longer names with it inside, whatever stands beside them of their downloads."""
    go(page, server)
    box = page.locator(".st-key-model input")
    for name in ("vgg16", "efficientnet_b3", "resnet18"):
        box.click()
        box.fill(name)
        options = page.locator("[role=option]:visible")
        expect(options.filter(has_text=f"timm/{name} · ")).to_have_count(1)
        expect(options.first).to_have_text(re.compile(f"^{name} · "))
        page.keyboard.press("Escape")
