"""The address alone shows a fresh visitor the same pixels.

``LOOKS=200 make test FILES=tests/browser/test_address_alone.py`` tries more looks than every run does.
"""

import os
import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.reachable import STARTS, act, at_rest
from tests.browser.steps import address, arrive, choose, first_visit, maps, settle, visit
from tests.browser.test_one_number import click_cell, section

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TITLE = ".lg-channel-title"
FILTER, EXEMPLARS, OPTIMISED = ".lg-filter", "[data-part=exemplars]", "[data-part=optimised]"
OUTER = "each => each.outerHTML"
LOOKS = int(os.environ.get("LOOKS", "12"))
STEPS = 4  # of each random visitor; after each, the address is tried


def test_a_removed_channel_is_the_one_after_a_reload(page: Page, server: str) -> None:
    """Nobody had chosen it; without it, the maps would choose another."""
    first_visit(page, server)
    title = page.locator(TITLE).inner_text()
    page.locator(".lg-remove").click()
    expect(page.locator(".lg-edits")).to_contain_text(title)
    page.wait_for_url("**channel=**")
    page.reload()
    expect(page.locator(".lg-remove")).to_have_text("Put back")
    expect(page.locator(TITLE)).to_have_text(title)


def test_the_head_of_where_a_patch_looks_is_in_the_link(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """The liveliest head of the whole table is not that of one row of it."""
    visit(page, server, model="patchformer", layer="blocks.3.attention.softmax")
    title = page.locator(TITLE).inner_text()
    page.get_by_role("button", name="Where does a patch look?").click()
    expect(page.locator(".lg-attention canvas")).to_be_visible()
    page.wait_for_url("**kind=attention-query**")
    follower = visitor()
    follower.goto(page.url)
    expect(follower.locator(".lg-attention canvas")).to_be_visible()
    for each in (page, follower):
        expect(each.locator(TITLE)).to_have_text(title)


def test_another_picture_keeps_the_channel_and_says_it(page: Page, server: str) -> None:
    """The channel that is liveliest for the cat stays for another sample, and after a reload."""
    visit(page, server, model="lenet", layer="conv2", sample="cat")
    title = page.locator(TITLE).inner_text()
    choose(page, "sample", "A cup of coffee")
    page.wait_for_url("**sample=coffee**")
    expect(page.locator(TITLE)).to_have_text(title)
    assert f"channel {address(page)['channel']}" == title
    page.reload()
    maps(page, "conv2").wait_for()
    expect(page.locator(TITLE)).to_have_text(title)


def test_how_much_of_the_picture_shows_through_is_in_the_link(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """The large map over the picture, in the view of the layer and on the page of its unit."""
    visit(page, server, model="lenet", layer="conv2", channel="3")
    page.locator(".lg-overlay input").fill("0.35")
    page.wait_for_url("**overlay=35**")
    follower = visitor()
    for view in ("layer", "unit"):
        follower.goto(f"{page.url}&view={view}")
        expect(follower.locator(".lg-large")).to_have_css("opacity", "0.65")
        expect(follower.locator(".lg-photo")).to_be_visible()
        expect(follower.locator(".lg-overlay input")).to_have_value("0.35")


def test_how_strongly_a_method_covers_the_picture_is_in_the_link(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """Of the view that shows where a class is seen."""
    over = ".lg-attribution .lg-over"
    arrive(page, server, model="lenet", layer="conv2", view="gradients")
    expect(page.locator(over)).to_have_css("opacity", "0.6")
    page.locator(".lg-attribution .lg-overlay input").fill("0.25")
    expect(page.locator(over)).to_have_css("opacity", "0.25")
    page.wait_for_url("**strength=25**")
    follower = visitor()
    follower.goto(page.url)
    expect(follower.locator(over)).to_have_css("opacity", "0.25")


def test_the_number_that_is_taken_apart_is_in_the_link(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """With the channel of the input whose window is shown; undo and Back close it as they opened it."""
    visit(page, server, model="lenet", layer="conv2", channel="3")
    click_cell(page, 4, 7)
    box = section(page).locator("select")
    box.select_option(index=2)
    page.wait_for_url("**cell=4%2C7%2C*")
    follower = visitor()
    follower.goto(page.url)
    for part in ("h3", ".lg-sum"):
        expect(section(follower).locator(part)).to_have_text(section(page).locator(part).text_content() or "")
    expect(follower.locator(".lg-map > .lg-cell")).to_be_visible()
    expect(section(follower).locator("select")).to_have_value(box.input_value())
    page.locator(".lg-number-close").click()
    page.wait_for_url(lambda url: "cell=" not in url)
    page.go_back()
    expect(section(page).locator("h3 code")).to_contain_text("[3, 4, 7] = ")
    follower.locator(".lg-number-close").click()
    expect(follower.locator(".lg-number")).to_be_hidden()
    follower.keyboard.press("Control+z")
    expect(section(follower).locator("h3 code")).to_contain_text("[3, 4, 7] = ")


def test_a_cell_that_there_is_not_is_named_in_a_sentence(page: Page, server: str) -> None:
    """One of no form, and one outside the map; the maps are shown."""
    for cell in ("four", "4,99"):
        visit(page, server, model="lenet", layer="conv2", cell=cell)
        said = page.get_by_text(
            f"The address says cell={cell}, which does not exist. Showing the maps without a number."
        )
        expect(said).to_be_visible()
        expect(page.locator(".lg-number")).to_be_hidden()
        page.wait_for_url(lambda url: "cell=" not in url)


def test_what_stood_above_the_maps_for_a_while_leaves_them_as_they_were(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """The line of an edit takes room from them, and undo gives it back, as a fresh visitor has it."""
    visit(page, server, model="photonet", layer="stage1.1.conv2", sample="cat", channel="3")
    before = at_rest(page)
    page.locator(".lg-remove").click()
    expect(page.locator(".lg-edits")).to_contain_text("3")
    assert at_rest(page) != before
    page.locator(".lg-undo").first.click()
    assert at_rest(page) == before
    fresh = visitor()
    fresh.goto(page.url)
    settle(fresh)
    assert at_rest(fresh) == before


def unfold(page: Page, part: str) -> Locator:
    """Unfold a section beside the channel."""
    found = page.locator(part)
    found.locator("summary").first.click()
    expect(found).to_have_js_property("open", value=True)
    return found


def test_what_is_unfolded_beside_the_channel_is_in_the_link(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """Its filter, its pictures with their order, and folded again; undo passes over folding."""
    visit(page, server, model="photonet", layer="stage1.1.conv1", channel="3")
    unfold(page, FILTER)
    exemplars = unfold(page, EXEMPLARS)
    exemplars.get_by_role("button", name="Look through").click()
    exemplars.locator(".lg-exemplar").first.wait_for()
    exemplars.locator("input[value=mean]").check(force=True)
    page.wait_for_url("**filter=open&exemplars=open&exemplars_by=mean**")
    follower = visitor()
    follower.goto(page.url)
    for each in (FILTER, EXEMPLARS):
        expect(follower.locator(each)).to_have_js_property("open", value=True)
    expect(follower.locator(f"{EXEMPLARS} input[value=mean]")).to_be_checked()
    expect(follower.locator(f"{FILTER} img")).to_be_visible()
    page.locator(f"{FILTER} summary").click()
    page.wait_for_url(lambda url: "filter=" not in url)
    page.locator(".lg-stage").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Control+z")
    page.wait_for_url(lambda url: "exemplars_by=" not in url)
    expect(page.locator(EXEMPLARS)).to_have_js_property("open", value=True)
    expect(page.locator(FILTER)).to_have_js_property("open", value=False)


def test_a_units_page_that_was_folded_is_folded_in_the_link(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """There both sections stand open by themselves."""
    arrive(page, server, model="photonet", layer="stage1.1.conv1", channel="3", view="unit")
    expect(page.locator(OPTIMISED)).to_have_js_property("open", value=True)
    page.locator(f"{EXEMPLARS} summary").first.click()
    page.wait_for_url("**exemplars=folded**")
    follower = visitor()
    follower.goto(page.url)
    expect(follower.locator(OPTIMISED)).to_have_js_property("open", value=True)
    expect(follower.locator(EXEMPLARS)).to_have_js_property("open", value=False)


def test_an_optimised_picture_is_made_again_by_its_link(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """The same pixels, of a cell, by the way that was chosen; another layer makes none by itself."""
    visit(page, server, model="lenet", layer="conv2", channel="3")
    click_cell(page, 4, 7)
    section(page).locator("h3").wait_for()
    found = unfold(page, OPTIMISED)
    found.get_by_role("combobox", name="What for").select_option("cell")
    found.get_by_role("combobox", name="How", exact=True).select_option("maco")
    found.locator(".lg-optimised-start").click()
    expect(found.get_by_role("status")).to_contain_text("Finished")
    page.wait_for_url("**optimised=drawn&optimised_aim=cell&optimised_way=maco**")
    follower = visitor()
    follower.goto(page.url)
    theirs = follower.locator(OPTIMISED)
    expect(theirs.get_by_role("status")).to_contain_text("Finished")
    for each in ("figure img", "figcaption"):
        assert theirs.locator(each).evaluate(OUTER) == found.locator(each).evaluate(OUTER)
    follower.locator(".lg-next").click()
    follower.wait_for_url("**optimised=open**")
    expect(theirs.locator("figure")).to_have_count(0)


@pytest.mark.parametrize("seed", range(LOOKS // STEPS))
def test_from_a_random_look_the_address_alone_gives_the_same_maps(
    page: Page, visitor: Callable[..., Page], server: str, seed: int
) -> None:
    """After each thing that a random visitor does, a fresh one opens the address and sees the same pixels."""
    chance = random.Random(seed)
    model, layer, sample = STARTS[seed % len(STARTS)]
    arrive(page, server, model=model, layer=layer, sample=sample)
    done: list[str] = []
    for _ in range(STEPS):
        done.append(act(page, chance))
        seen = at_rest(page)
        fresh = visitor()
        fresh.goto(page.url)
        settle(fresh)
        assert at_rest(fresh) == seen, (done, page.url)
        fresh.context.close()
