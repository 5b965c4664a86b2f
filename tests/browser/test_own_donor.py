"""Values from another picture of the same visitor: right to the pixel, and never another visitor's."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.oracle import assert_mosaic_shows, lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.steps import (
    address,
    click_tile,
    drawing,
    expect_another_picture,
    expect_calm,
    expect_one_sentence,
    facts,
    maps,
    pixels,
    press,
    upload,
    visit,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FIRST, SECOND, THIRD, CHANNEL = 61, 62, 63, 3


def bring(page: Page, seed: int, name: str) -> None:
    """Upload a photo under this name, and wait until its maps are there."""
    before = drawing(page)
    upload(page, name, png(photo(seed)), "image/png")
    expect_another_picture(page, before)


def mixed(seed: int) -> np.ndarray:
    """LeNet's first maps of a photo, with one channel of the first photo."""
    found = lenet_outputs(photo(seed))["conv1"].copy()
    found[CHANNEL] = lenet_outputs(photo(FIRST))["conv1"][CHANNEL]
    return found


@pytest.fixture
def swapped(page: Page, server: str) -> Page:
    """A page whose second upload has one channel of the first."""
    visit(page, server, model="lenet", layer="conv1")
    bring(page, FIRST, "first <b>.png")
    bring(page, SECOND, "second.png")
    click_tile(page, CHANNEL)
    page.locator(".lg-edit summary").click()
    page.get_by_label("Edit", exact=True).select_option("swap")
    donors = page.get_by_label("picture to take it from")
    expect(donors.locator("option").first).to_have_text("first <b>.png")
    expect(donors.locator("option", has_text="second.png")).to_have_count(0)
    donors.select_option(label="first <b>.png")
    before = drawing(page)
    page.locator(".lg-apply").click()
    expect_another_picture(page, before)
    return page


def test_a_channel_is_taken_from_an_earlier_upload(swapped: Page) -> None:
    """Every pixel is checked; a third upload leaves the edit in force, and undoing it works."""
    page, said = swapped, swapped.locator(".lg-edits")
    label = f"conv1: channel {CHANNEL} taken from “first <b>.png”"
    expect(said).to_contain_text(label)
    assert_mosaic_shows(pixels(maps(page)), mixed(SECOND), facts(page))
    page.locator(".lg-code").click()
    expect(page.locator(".lg-status")).to_contain_text("from samples only")
    expect(page.locator(".lg-code")).to_have_text("Copy as code")
    page.locator(".lg-link").click()
    expect(page.locator(".lg-status")).to_contain_text("For others, the edit")
    bring(page, THIRD, "third.png")
    expect(said).to_contain_text(label)
    assert_mosaic_shows(pixels(maps(page)), mixed(THIRD), facts(page))
    with_it = drawing(page)
    page.locator(".lg-undo").click()
    expect_another_picture(page, with_it)
    expect(said).to_be_hidden()
    without = drawing(page)
    press(page, "Control+z")
    expect_another_picture(page, without)
    expect(said).to_contain_text(label)
    assert_mosaic_shows(pixels(maps(page)), mixed(THIRD), facts(page))
    expect_calm(page)


def test_the_link_shows_nobody_elses_picture(
    swapped: Page, visitor: Callable[..., Page], server: str
) -> None:
    """A stranger gets one sentence and the maps of the sample, while the owner's page stays as it is."""
    stranger, link = visitor(), address(swapped)
    assert link["edit"].startswith(f"conv1:swap:{CHANNEL}:own_")
    visit(stranger, server, **link)
    expect_one_sentence(stranger, "uploaded in another visit", f"conv1: channel {CHANNEL}")
    expect(stranger.locator(".lg-edits")).to_be_hidden()
    assert "edit" not in address(stranger)
    plain = visit(visitor(), server, model="lenet", layer="conv1")
    assert (pixels(maps(stranger)) == pixels(maps(plain))).all()
    assert_mosaic_shows(pixels(maps(swapped)), mixed(SECOND), facts(swapped))
    expect_calm(swapped)
