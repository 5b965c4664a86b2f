"""Before and after side by side: the comparison of a layer with the edits and without them."""

import pytest
from playwright.sync_api import Page, expect

import models
from tests.browser.oracle import lenet_without
from tests.browser.pictures import photo
from tests.browser.steps import (
    arrive,
    click_tile,
    expect_address,
    expect_calm,
    press,
    settle,
    visit_with_photo,
)
from tests.browser.two_sides import (
    assert_side_shows,
    choose_other,
    compare,
    comparison_facts,
    notices_of_other,
    side,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED, CHANNEL = 21, 3


def test_one_click_shows_before_and_after_of_an_own_photo_side_by_side(page: Page, server: str) -> None:
    """Every pixel of both sides and of their difference, and what the net predicts on each side."""
    visit_with_photo(page, server, SEED, model="lenet", layer="conv1")
    click_tile(page, CHANNEL)
    press(page, "x")
    expect(page.locator(".lg-facts")).to_contain_text("edited")
    settle(page)
    page.locator(".lg-beside").click()
    side(page, "difference", "conv1").wait_for()
    settle(page)
    press(page, *["ArrowRight"] * 3)
    for name in ("left", "right", "difference"):
        side(page, name, "conv2").wait_for()
    settle(page)
    facts = comparison_facts(page)
    order = facts["left"]["geometry"]["order"]  # the channels that differ most come first
    assert sorted(order) == list(range(16))
    after, before = (lenet_without(photo(SEED), channel)["conv2"][0].numpy() for channel in (CHANNEL, -1))
    assert_side_shows(page, "left", after, facts, order)
    assert_side_shows(page, "right", before, facts, order)
    assert_side_shows(page, "difference", after - before, facts, order)
    captions = page.locator("[data-side] figcaption")
    expect(captions.nth(0)).to_contain_text(" with edits")
    expect(captions.nth(1)).to_contain_text(" without edits")
    for place, channel in enumerate((CHANNEL, -1)):
        share, best = lenet_without(photo(SEED), channel)["scores"].softmax(0).max(0)
        predicted = f"{models.describe('lenet').classes[int(best)]} {100 * float(share):.0f} %"
        expect(captions.nth(place)).to_contain_text(predicted)
    expect_calm(page)


def test_the_link_has_which_side_has_no_edits(page: Page, server: str) -> None:
    """With the edits on both sides nothing differs; back in the view of one layer they are still in force."""
    edit = {"model": "lenet", "layer": "conv2", "edit": f"conv1:zero:{CHANNEL}", "with_sample": "same"}
    compare(page, server, **edit, with_edits="none")
    expect_address(page, with_edits="none")
    expect(page.locator('[data-side="difference"] figcaption')).not_to_contain_text("no cell differs")
    choose_other(page, "with_edits", "same edits")
    expect(page.locator('[data-side="difference"] figcaption')).to_contain_text("no cell differs")
    page.wait_for_url(lambda url: "with_edits" not in url)
    page.locator("[data-part=view] [data-value=layer]").click()
    expect(page.locator(".lg-facts")).to_contain_text("edited")


def test_without_edits_there_is_nothing_to_leave_out(page: Page, server: str) -> None:
    """A link that asks for it gets one sentence; the view of gradients does not offer it."""
    compare(page, server, model="lenet", layer="conv2", with_edits="none")
    expect(notices_of_other(page)).to_have_count(1)
    expect(notices_of_other(page)).to_contain_text("with_edits=none")
    expect(page.locator("[data-part=with_edits]")).to_have_count(0)
    arrive(page, server, model="lenet", layer="conv2", view="gradients", edit="conv1:zero:3")
    expect(page.locator(".lg-show")).to_be_visible()
    expect(page.locator(".lg-beside")).to_have_count(0)
