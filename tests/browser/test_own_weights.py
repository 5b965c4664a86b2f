"""A visitor's own weights on the real page: every pixel uses them, and only for that visitor."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
import safetensors.torch
import torch
from playwright.sync_api import Page, expect
from torch import Tensor

from tests.browser.oracle import assert_mosaic_shows, lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.steps import (
    address,
    choose,
    expect_address,
    expect_another_picture,
    expect_calm,
    expect_one_sentence,
    facts,
    maps,
    pixels,
    settle,
    subject,
    upload,
    visit,
)
from tests.models.own.opening.test_outline import shards, zipped
from tests.models.uploads import Planted, claim, safetensors_file, saved, state

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OWN = "own weights"


def bring(page: Page, name: str, content: bytes) -> None:
    """Open the place for own weights and upload a file there; one that comes during another is lost."""
    field = page.locator(".st-key-own_weights input[type=file]")
    if not field.count():
        page.get_by_role("button", name="Your own").click()
    field.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})
    expect(page.locator(".st-key-own_weights")).to_contain_text(name)


def put_away(page: Page) -> None:
    """Close the place for own weights, which lies over the box of layers."""
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-own_weights")).to_have_count(0)


def expect_facts(page: Page, words: str) -> None:
    """The line above the maps names the weights."""
    expect(page.locator(".lg-facts")).to_contain_text(f"· {words} ·")
    settle(page)


def expect_maps_of(page: Page, layer: str, weights: dict[str, Tensor], seed: int) -> None:
    """Every pixel on screen is what plain functions give with these weights."""
    maps(page, layer).wait_for()
    settle(page)
    assert_mosaic_shows(pixels(maps(page, layer)), lenet_outputs(photo(seed), weights)[layer], facts(page))


def with_photo(page: Page, server: str, seed: int) -> Page:
    """A visitor who uploaded a photo and looks at it with LeNet."""
    visit(page, server, model="lenet", layer="conv1")
    before = str(maps(page).get_attribute("data-address"))
    upload(page, "photo.png", png(photo(seed)), "image/png")
    expect(maps(page)).not_to_have_attribute("data-address", before)
    settle(page)
    return page


def test_own_weights_are_what_is_on_screen_and_nobody_else_sees_them(
    visitor: Callable[..., Page], server: str
) -> None:
    """Two visitors bring different weights for one photo, and see different maps of it."""
    first, second = (with_photo(visitor(), server, 5) for _ in range(2))
    for page, seed in ((first, 1), (second, 2)):
        bring(page, "mine.safetensors", safetensors.torch.save(state(seed)))
        expect_facts(page, OWN)
        expect_calm(page)
    expect_maps_of(first, "conv1", state(1), 5)
    put_away(second)
    choose(second, "layer", "pool2")
    expect_maps_of(second, "pool2", state(2), 5)


def test_no_address_leads_to_own_weights(visitor: Callable[..., Page], server: str) -> None:
    """The address does not name them; anyone who opens it, or asks for them by name, gets trained weights."""
    owner, stranger = visitor(), visitor()
    visit(owner, server, model="lenet", layer="conv1")
    content = saved(state(9))
    bring(owner, "mine.pt", content)
    expect_facts(owner, OWN)
    assert "weights" not in address(owner)
    assert "own" not in owner.url
    owner.keyboard.press("Escape")
    owner.locator(".lg-link").click()
    expect(owner.locator(".lg-status")).to_contain_text("Your weights are not in the link")
    stranger.goto(owner.url)
    maps(stranger, "conv1").wait_for()
    expect_facts(stranger, "trained")
    expect(stranger.get_by_role("radio", name="own", exact=True)).to_have_count(0)
    for asked in ("own", f"own:{hashlib.sha256(content).hexdigest()}"):
        visit(stranger, server, model="lenet", layer="conv1", weights=asked)
        expect_one_sentence(stranger, f"weights={asked}", "pretrained")
        expect_facts(stranger, "trained")


def test_what_does_not_fit_changes_nothing_until_the_visitor_goes_on(page: Page, server: str) -> None:
    """The report names what is wrong; the rest of the model stays untrained."""
    with_photo(page, server, 6)
    given = {name: value for name, value in state(3).items() if name != "fc2.weight"}
    given |= {"fc3.weight": torch.zeros(100, 84), "<b>stray</b>": torch.zeros(2)}
    bring(page, "part.pt", saved({"state_dict": {f"module.{name}": value for name, value in given.items()}}))
    expect_one_sentence(page, "do not fit lenet: 1 missing, 1 unexpected, 1 of another shape, 8 fit")
    expect_facts(page, "trained")
    for line in ("1 missing: fc2.weight", "1 unexpected: <b>stray</b>", "1 of another shape: fc3.weight"):
        expect(page.get_by_text(line)).to_be_visible()
    page.get_by_text("1 of another shape: fc3.weight").click()
    expect(page.get_by_text("fc3.weight: 100 × 84 instead of 10 × 84")).to_be_visible()
    page.get_by_role("button", name="Go on with the 8 that fit").click()
    expect_facts(page, f"{OWN}, 8 of 10")
    expect_calm(page)
    expect_maps_of(page, "conv1", state(3), 6)


def test_the_switch_goes_to_and_fro_between_weights(page: Page, server: str) -> None:
    """Own, untrained, own again; another model does not have them, but they return with the first."""
    with_photo(page, server, 7)
    bring(page, "mine.pth", saved(state(4), legacy=True))
    expect_facts(page, OWN)
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="untrained", exact=True).click()
    expect_facts(page, "untrained")
    page.get_by_role("radio", name="own", exact=True).click()
    expect_facts(page, OWN)
    choose(page, "model", "photonet")
    expect(page.locator("[data-testid=stAlert]").first).to_contain_text("do not fit photonet")
    choose(page, "model", "lenet")
    expect_facts(page, OWN)
    expect_maps_of(page, "conv1", state(4), 7)


def test_the_way_back_to_another_picture_keeps_own_weights(page: Page, server: str) -> None:
    """The entry does not name them, and it is not rewritten."""
    visit(page, server, model="lenet", layer="conv1")
    bring(page, "mine.pt", saved(state(4)))
    expect_facts(page, OWN)
    put_away(page)
    for title in ("A cup of coffee", "A rocket launch"):
        before = subject(page)
        choose(page, "sample", title)
        expect_another_picture(page, before)
    before = subject(page)
    page.go_back()
    expect_another_picture(page, before)
    expect_facts(page, OWN)
    expect_address(page, sample="coffee")
    assert "weights" not in address(page)
    expect_calm(page)


def test_shards_in_a_zip_are_what_is_on_screen(page: Page, server: str) -> None:
    """Unpacked as the page reads them: every pixel is of their numbers."""
    with_photo(page, server, 5)
    bring(page, "mine.zip", zipped(shards(state(6))))
    expect_facts(page, OWN)
    put_away(page)
    expect_maps_of(page, "conv1", state(6), 5)


def test_bad_files_of_weights_are_one_sentence_each(page: Page, server: str, tmp_path: Path) -> None:
    """The view stays, and planted code does not run on the server."""
    sign = tmp_path / "it-was-run"
    bad = {
        "empty.pt": (b"", "is empty"),
        "notes.pt": (b"hello, I am a text", "neither a safetensors file nor"),
        "planted.pt": (saved({"state_dict": Planted(sign)}), "nothing in it was run"),
        "cut.safetensors": (safetensors.torch.save(state())[:-9], "damaged or cut short"),
        "huge.safetensors": (safetensors_file(claim([750_000_000], 3 * 10**9)), "damaged or cut short"),
    }
    visit(page, server, model="lenet", layer="conv1")
    for name, (content, sentence) in bad.items():
        bring(page, name, content)
        expect_one_sentence(page, sentence, "What is on screen stays")
        expect_facts(page, "trained")
    assert not sign.exists()
    bring(page, "good.pt", saved(state(8)))
    expect_facts(page, OWN)
    expect_calm(page)
