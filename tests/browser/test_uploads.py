"""Uploads on the real page, bad ones above all: one clear sentence each, and the picture stays."""

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.pictures import enormous_png, jpeg, photo, png
from tests.browser.steps import (
    choose,
    chosen,
    expect_another_picture,
    expect_calm,
    expect_one_sentence,
    maps,
    settle,
    subject,
    upload,
    visit,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

KEPT = "The picture on screen stays."
RECORD = """() => {
    window.tokens = [];
    const note = () => {
        const { address } = document.querySelector(".lg-maps")?.dataset ?? {};
        const [, token] = address?.match(/maps\\/([0-9a-f]+)\\//) ?? [];
        if (token && token !== window.tokens.at(-1)) window.tokens.push(token);
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true });
}"""
BAD = {
    "empty.png": (b"", "empty"),
    "renamed.jpg": (b"Shopping: milk, bread, a net with 50 layers.\n" * 40, "PNG"),
    "truncated.png": (png(photo(9))[:3000], "damaged"),
    "enormous.png": (enormous_png(), "9,000 by 9,000 pixels"),
    "thin.png": (png(Image.new("L", (1, 10_000), 90)), "1 by 10,000 pixels"),
    "archive.gif": (b"GIF89a" + bytes(40), "0 by 0 pixels"),
}
NAMES = (
    "**bold** [link](javascript:document.title='hit').png",
    "<img src=x onerror=document.title='hit'>.png",
    "$\\frac{1}{0}$ :red[hot] `code` & \N{RIGHT-TO-LEFT OVERRIDE}gpj.png",
    "a" * 200 + ".png",
)


def test_a_bad_file_changes_nothing_but_a_sentence(page: Page, server: str) -> None:
    """A good file, several bad ones, another good one: the first stays on screen until the last."""
    visit(page, server, model="lenet", layer="conv2")
    sample = subject(page)
    upload(page, "mine.jpg", jpeg(photo(10)))
    expect_another_picture(page, sample)
    shown = subject(page)
    for name, (content, says) in BAD.items():
        upload(page, name, content, "image/png")
        page.locator(".st-key-upload").get_by_text(name[:8]).first.wait_for()
        settle(page)
        expect_one_sentence(page, says, KEPT)
        maps(page, "conv2").wait_for()
        assert subject(page) == shown
        assert (chosen(page, "model"), chosen(page, "layer")) == ("lenet · ready", "conv2")
    upload(page, "good.jpg", jpeg(photo(11)))
    expect_another_picture(page, shown)
    assert subject(page) != sample
    expect_calm(page)


def test_another_upload_takes_the_place_of_the_first_at_once(page: Page, server: str) -> None:
    """The first sample does not reappear between the two uploads."""
    visit(page, server, model="lenet", layer="conv2")
    sample = subject(page)
    upload(page, "one.jpg", jpeg(photo(12)))
    expect_another_picture(page, sample)
    one = subject(page)
    page.evaluate(RECORD)
    upload(page, "two.jpg", jpeg(photo(13)))
    expect_another_picture(page, one)
    assert page.evaluate("window.tokens") in ([subject(page)], [one, subject(page)])


def test_a_hostile_file_name_is_text(page: Page, server: str) -> None:
    """Markdown and HTML in a file's name do nothing; the picture itself is accepted."""
    visit(page, server, model="lenet", layer="conv1")
    for seed, name in enumerate(NAMES):
        shown = subject(page)
        upload(page, name, png(photo(seed)), "image/png")
        expect_another_picture(page, shown)
        expect_calm(page)
        assert page.title() == "Layerglass"
        expect(page.locator("img[src=x], .st-key-upload strong, .st-key-upload a, .katex")).to_have_count(0)


def test_the_box_names_the_own_picture_only_while_it_is_shown(page: Page, server: str) -> None:
    """A sample hides its name; once that is closed, the picture and its name come back."""
    chip = page.locator(".st-key-upload [data-testid=stFileChip]")
    visit(page, server, model="lenet", layer="conv2")
    sample = subject(page)
    upload(page, "mine.jpg", jpeg(photo(14)))
    expect_another_picture(page, sample)
    own = subject(page)
    expect(chip).to_be_visible()
    choose(page, "sample", "A cup of coffee")
    expect_another_picture(page, own)
    expect(chip).to_be_hidden()
    coffee = subject(page)
    page.locator(".st-key-sample [aria-label='Clear value']").click()
    expect_another_picture(page, coffee)
    assert subject(page) == own
    expect(chip).to_be_visible()
