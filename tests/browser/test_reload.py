"""A reload of the page: what the visitor brought stays for the visit, and nobody else gets it."""

import re
from collections.abc import Callable

import numpy as np
import pytest
import safetensors.torch
from playwright.sync_api import Page, expect

from tests.browser.oracle import assert_mosaic_shows, lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.steps import (
    address,
    expect_address,
    expect_calm,
    expect_one_sentence,
    facts,
    first_visit,
    maps,
    pixels,
    settle,
    visit,
    visit_with_photo,
)
from tests.browser.test_exemplars import section
from tests.browser.test_own_weights import bring, expect_facts, expect_maps_of
from tests.models.uploads import state

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED = 71
KEPT = "layerglass.kept"


def assert_shows_the_photo(page: Page) -> None:
    """Every pixel of conv1's maps is that of the uploaded photo, by plain functions."""
    maps(page, "conv1").wait_for()
    settle(page)
    assert_mosaic_shows(pixels(maps(page, "conv1")), lenet_outputs(photo(SEED))["conv1"], facts(page))


def test_an_upload_stays_across_reloads(page: Page, server: str) -> None:
    """Also across a second one, with nothing else on screen in between and no notice."""
    visit_with_photo(page, server, SEED, model="lenet", layer="conv1")
    assert_shows_the_photo(page)
    before = np.asarray(pixels(maps(page)))
    seen: list[set[str]] = [set()]  # the subjects of each page, of which the first still fetches ahead
    page.on("framenavigated", lambda _: seen.append(set()))
    page.on("request", lambda asked: seen[-1].update(re.findall(r"/maps/(\w+)/layer\.png", asked.url)))
    for _ in range(2):
        page.reload()
        assert_shows_the_photo(page)
        expect_calm(page)
    assert "sample" not in address(page)
    np.testing.assert_array_equal(pixels(maps(page)), before)
    assert [len(subjects) for subjects in seen[1:]] == [1, 1]


def test_own_weights_stay_across_a_reload(page: Page, server: str) -> None:
    """With a photo of one's own, and every number is still that of these weights."""
    visit_with_photo(page, server, SEED, model="lenet", layer="conv1")
    bring(page, "mine.safetensors", safetensors.torch.save(state(1)))
    expect_facts(page, "own weights")
    page.reload()
    expect_facts(page, "own weights")
    expect_maps_of(page, "conv1", state(1), SEED)


def test_a_picture_of_an_own_folder_stays_across_a_reload(page: Page, server: str) -> None:
    """It has a name in the address, which leads to it only with the visit."""
    visit(page, server, model="lenet", layer="conv1", channel="2")
    mine = {"name": "mine.png", "mimeType": "image/png", "buffer": png(photo(SEED))}
    section(page).locator(".lg-bring input").set_input_files(mine)
    section(page).get_by_role("button", name="Look at mine.png").first.click()
    expect(page).to_have_url(re.compile("sample=own"))
    assert_shows_the_photo(page)
    page.reload()
    assert_shows_the_photo(page)
    expect(page).to_have_url(re.compile("sample=own"))
    expect_calm(page)


def test_nobody_else_gets_what_was_brought(visitor: Callable[..., Page], server: str) -> None:
    """Neither another browser with the same address, nor who types the address anew in the same tab."""
    first = visitor()
    visit_with_photo(first, server, SEED, model="lenet", layer="conv1")
    other = visitor()
    other.goto(first.url)
    maps(other, "conv1").wait_for()
    settle(other)
    expect_address(other, sample="cat")
    first_visit(first, server)
    expect_address(first, sample="cat")
    assert first.evaluate(f"sessionStorage.getItem('{KEPT}')") is None


def test_what_the_server_no_longer_has_is_said_in_a_sentence(page: Page, server: str) -> None:
    """The token is no visit's, as after a long time: the sample is shown, with a sentence."""
    visit_with_photo(page, server, SEED, model="lenet", layer="conv1")
    page.evaluate(f"sessionStorage.setItem('{KEPT}', '{'0' * 40}')")
    page.reload()
    maps(page, "conv1").wait_for()
    expect_one_sentence(page, "Your picture is no longer on this server", "upload it again")
    expect(page.locator(".lg-seen .lg-saw")).to_be_visible()


def test_a_sample_leaves_nothing_behind(page: Page, server: str) -> None:
    """A visitor who chooses a sample instead of the upload finds the sample after a reload."""
    visit_with_photo(page, server, SEED, model="lenet", layer="conv1")
    assert page.evaluate(f"sessionStorage.getItem('{KEPT}')")
    page.goto(f"{server}/?model=lenet&layer=conv1&sample=coffee")
    maps(page, "conv1").wait_for()
    settle(page)
    page.reload()
    maps(page, "conv1").wait_for()
    settle(page)
    expect_address(page, sample="coffee")
    assert page.evaluate(f"sessionStorage.getItem('{KEPT}')") is None
