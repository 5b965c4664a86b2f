"""Help, and what kind of layer this is: there when asked for, never in the way."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import arrive, expect_calm, maps, press, upload, visit
from viz.ui.locale.layer_types import explanation

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VIEW = {"model": "lenet", "layer": "conv2"}


def test_help_lists_the_keys_and_escape_closes_it(page: Page, server: str) -> None:
    """It opens by button and by key; while it is open no key flips layers; then the focus comes back."""
    visit(page, server, **VIEW)
    page.get_by_role("button", name="Keys and help").click()
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("presentation for projectors")
    assert dialog.locator("kbd").count() >= 14
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Keys and help")).to_be_focused()
    maps(page, "conv2").wait_for()
    press(page, "?")
    expect(dialog).to_be_visible()
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()
    expect_calm(page)


def test_letters_can_be_switched_off(page: Page, server: str) -> None:
    """Speech users need that; arrows still work, the browser remembers it, and it can be switched back."""
    visit(page, server, **VIEW)
    press(page, "?")
    page.get_by_label("Keys with letters").uncheck()
    page.keyboard.press("Escape")
    visit(page, server, **VIEW)
    press(page, "i", "p", "?", "ArrowRight")
    maps(page, "relu2").wait_for()
    expect(page.locator(".lg-kind")).to_be_hidden()
    expect(page.locator("dialog.lg-help")).to_be_hidden()
    page.get_by_role("button", name="Keys and help").click()
    page.get_by_label("Keys with letters").check()
    page.keyboard.press("Escape")
    press(page, "i")
    expect(page.locator(".lg-kind")).to_be_visible()


def test_the_explanation_of_a_layer_follows_the_flips(page: Page, server: str) -> None:
    """It explains the type on screen, stays open, and needs no run of the page's script."""
    visit(page, server, **VIEW)
    expect(page.locator(".lg-kind")).to_be_hidden()
    page.get_by_role("button", name="what is this?").click()
    for layer, kind in (("conv2", "Conv2d"), ("relu2", "ReLU"), ("pool2", "MaxPool2d")):
        maps(page, layer).wait_for()
        expect(page.locator(".lg-kind")).to_have_text(f"{explanation(kind)} More")
        press(page, "ArrowRight")
    press(page, "i")
    expect(page.locator(".lg-kind")).to_be_hidden()


def test_what_the_server_says_is_read_in_chinese(page: Page, server: str) -> None:
    """This covers how values became maps, and why an upload was refused."""
    arrive(page, server, **VIEW, lang="zh")
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    expect(page.locator(".lg-sentence")).to_have_text("16 幅 10 × 10 的图：这个 5×5 卷积由输入算出的结果。")
    expect(page.locator(".lg-sentence")).to_have_attribute("title", "16 个通道，每个 10 × 10，未作省略或重排")
    upload(page, "empty.png", b"", "image/png")
    expect(page.locator("[data-testid=stAlert]")).to_contain_text("文件是空的")
