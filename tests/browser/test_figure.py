"""The figure desk on the real page: layers of two models on two pictures, its files, its link."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import choose, choose_in_tree, expect_calm, press, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHEET = ".lg-figure:not([aria-busy]) .lg-figure-sheet"
BYTES = "address => fetch(address).then((answer) => answer.blob()).then((blob) => blob.slice(0, 5).text())"


def chips(page: Page) -> list[str]:
    """The names of the columns and pictures, in their order."""
    return page.locator(".lg-figure-chip > span").all_inner_texts()


def begin(page: Page) -> Locator:
    """Add the layer on screen to a figure, and return the sheet."""
    press(page, "o")
    page.locator(".lg-reduced-figure").click()
    sheet = page.locator(SHEET)
    expect(sheet).to_be_visible()
    return sheet


def test_a_figure_of_two_models_on_two_pictures_is_made_with_the_page_alone(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """From the layer's one picture on; its link shows a fresh visitor the same sheet, caption and command."""
    visit(page, server, model="lenet", layer="conv2", sample="cat")
    sheet = begin(page)
    expect(page.locator(".lg-figure-why")).to_have_text("Choose another layer or model to add it.")
    choose_in_tree(page, "conv1")
    page.locator(".lg-figure-add", has_text="lenet · conv1").click()
    choose(page, "model", "photonet")
    page.locator(".lg-figure-add", has_text="photonet").click()
    page.locator("select[data-part=figure-picture]").select_option("coffee")
    page.locator("[data-part=figure_over]").check()
    page.wait_for_url("**figure_pictures=cat%2Ccoffee**figure_over=1**")
    expect(page.locator(".lg-figure-text > p")).to_contain_text("(f) photonet")
    assert [name.split(" · ")[0] for name in chips(page)[:3]] == ["lenet", "lenet", "photonet"]
    expect(page.locator(".lg-figure-text > code")).to_contain_text("--panel lenet conv2 --panel lenet conv1")
    follower = visitor()
    follower.goto(page.url)
    expect(follower.locator(SHEET)).to_have_attribute("src", sheet.get_attribute("src") or "")
    for part in (".lg-figure-text > p", ".lg-figure-text > code"):
        expect(follower.locator(part)).to_have_text(page.locator(part).inner_text())
    for form, start in (("PDF", "%PDF-"), ("SVG", "<?xml")):
        address = page.locator(".lg-figure-files a", has_text=form).get_attribute("href")
        assert page.evaluate(BYTES, address) == start
    expect_calm(page)


def test_columns_change_places_go_and_come_back_by_undo(page: Page, server: str) -> None:
    """By their buttons; the last one leaves the desk empty, with what to do."""
    look = "lenet:pretrained:conv1;lenet:pretrained:conv2"
    visit(page, server, model="lenet", layer="conv1", sample="cat")
    page.goto(f"{page.url}&view=figure&figure={look}")
    expect(page.locator(SHEET)).to_be_visible()
    page.get_by_role("button", name="Move right: lenet · conv1").click()
    page.wait_for_url("**figure=lenet%3Apretrained%3Aconv2%3Blenet%3Apretrained%3Aconv1**")
    for name in ("conv2", "conv1"):
        page.get_by_role("button", name=f"Remove: lenet · {name}").click()
    expect(page.locator(".lg-figure-note")).to_contain_text("A figure has a column for each layer")
    expect(page.locator(".lg-figure-add")).to_have_text("Add lenet · conv1")
    page.locator(".lg-stage").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Remove: lenet · conv1")).to_be_visible()
    expect(page.locator(SHEET)).to_be_visible()


def test_the_keys_stay_where_a_choice_was_made(page: Page, server: str) -> None:
    """A box of the desk keeps the focus while the figure is drawn again; G leads there and back."""
    visit(page, server, model="lenet", layer="conv2", sample="cat")
    begin(page)
    box = page.locator("input[data-part=figure_letters]")
    box.focus()
    page.keyboard.press("Space")
    page.wait_for_url("**figure_letters=0**")
    expect(box).to_be_focused()
    expect(page.locator(".lg-figure-text > code")).to_contain_text("--no-letters")
    box.blur()
    page.keyboard.press("g")
    expect(page.locator(".lg-reduced-figure")).to_be_visible()
    page.keyboard.press("g")
    expect(page.locator(SHEET)).to_be_visible()
    page.locator(".lg-figure-back").click()
    expect(page.locator(".lg-reduced-figure")).to_be_visible()


def test_a_link_to_a_picture_that_is_gone_leaves_others_to_choose(page: Page, server: str) -> None:
    """It says so; once the picture is removed, the figure comes."""
    look = f"figure=lenet:pretrained:conv1&figure_pictures=own_{'1' * 32},cat"
    visit(page, server, model="lenet", layer="conv1", sample="cat")
    page.goto(f"{page.url}&view=figure&{look}")
    expect(page.locator(".lg-figure-note")).to_contain_text("There is no picture")
    page.get_by_role("button", name="Remove: own_").click()
    expect(page.locator(SHEET)).to_be_visible()
    expect(page.locator(".lg-figure-note")).to_be_empty()
