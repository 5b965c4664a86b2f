"""Edits on the real page: a channel removed and put back, what that does later, and the study of a layer."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.oracle import assert_mosaic_shows, lenet_outputs, lenet_without
from tests.browser.pictures import photo
from tests.browser.steps import (
    arrive,
    click_tile,
    drawing,
    expect_address,
    expect_another_picture,
    expect_calm,
    expect_one_sentence,
    facts,
    maps,
    pixels,
    press,
    settle,
    visit,
    visit_with_photo,
)
from viz.pictures.samples import sample

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED, CHANNEL = 21, 3


@pytest.fixture
def own_photo(page: Page, server: str) -> Page:
    """A page on LeNet's first convolution for an own photo."""
    return visit_with_photo(page, server, SEED, model="lenet", layer="conv1")


def edit(page: Page, *keys: str) -> None:
    """Press keys that edit, and wait until the page shows other maps."""
    before = drawing(page)
    press(page, *keys)
    expect_another_picture(page, before)


def test_removing_a_channel_changes_later_layers_exactly_and_undo_restores_them(own_photo: Page) -> None:
    """Every pixel of the second convolution, against the same net with a zeroed filter."""
    page, edited = own_photo, lenet_without(photo(SEED), CHANNEL)
    click_tile(page, CHANNEL)
    edit(page, "x")
    expect(page.locator(".lg-edits")).to_contain_text(f"conv1: channel {CHANNEL} removed")
    expect(page.locator(".lg-facts")).to_contain_text("edited")
    expect(page.locator(".lg-remove")).to_have_text("Put back")
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    maps(page, "conv2").wait_for()
    assert_mosaic_shows(pixels(maps(page)), edited["conv2"][0].numpy(), facts(page))
    before = drawing(page)
    page.locator(".lg-undo").click()
    expect_another_picture(page, before)
    expect(page.locator(".lg-edits")).to_be_hidden()
    assert_mosaic_shows(pixels(maps(page)), lenet_outputs(photo(SEED))["conv2"], facts(page))
    page.wait_for_url(lambda url: "edit=" not in url)


def test_the_last_change_is_taken_back_by_the_keyboard_whichever_it_was(own_photo: Page) -> None:
    """Two channels joined in one edit, one put back, all cleared: undo reverts each step, and then stops.

    It also goes back to the channel before, as to any look before.
    """
    page, said = own_photo, own_photo.locator(".lg-edits")
    unchosen = page.locator(".lg-channel-title").inner_text()
    for channel in (3, 1):
        click_tile(page, channel)
        edit(page, "x")
    expect(said).to_contain_text("conv1: channels 1, 3 removed")
    edit(page, "x")
    expect(said).to_contain_text("conv1: channel 3 removed")  # its maps are there before its words
    page.locator(".lg-undo").click()
    expect(said).to_be_hidden()
    for text in ("conv1: channel 3 removed", "conv1: channels 1, 3 removed", "conv1: channel 3 removed"):
        press(page, "Control+z")
        expect(said).to_contain_text(text)
    press(page, "Control+z")
    expect(page.locator(".lg-channel-title")).to_have_text("channel 3")
    expect(said).to_contain_text("conv1: channel 3 removed")
    press(page, "Control+z")
    expect(said).to_be_hidden()
    press(page, "Control+z", "Control+z", "x")
    expect(said).to_contain_text(f"conv1: {unchosen} removed")


def test_the_difference_and_the_predictions_are_those_of_both_nets(own_photo: Page) -> None:
    """After − before on a diverging scale; the predictions' probabilities before and after."""
    page, before, after = own_photo, lenet_without(photo(SEED), -1), lenet_without(photo(SEED), CHANNEL)
    click_tile(page, CHANNEL)
    edit(page, "x")
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    maps(page, "conv2").wait_for()
    page.locator("[data-show=difference]").click()
    expect(maps(page)).to_have_attribute("data-address", re.compile("show=difference"))
    changed = (after["conv2"] - before["conv2"])[0].numpy()
    drawn = facts(page)
    assert drawn["vmin"] == -drawn["vmax"] == pytest.approx(-abs(changed).max(), rel=1e-4)
    np.testing.assert_allclose(drawn["channels"]["mean"], changed.mean((1, 2)), rtol=1e-3, atol=1e-5)
    shares = [f"{100 * float(net['scores'].softmax(0).max()):.0f}" for net in (before, after)]
    expect(page.locator(".lg-seen")).to_contain_text("→")
    assert all(share in page.locator(".lg-seen ol").inner_text() for share in shares)


def test_a_channel_is_taken_from_another_picture_and_from_nowhere_else(own_photo: Page, server: str) -> None:
    """Every pixel is checked: one channel of the sample's maps among the photo's; a link does the same."""
    page = own_photo
    click_tile(page, CHANNEL)
    page.locator(".lg-edit summary").click()
    page.get_by_label("Edit", exact=True).select_option("swap")
    page.get_by_label("picture to take it from").select_option("coffee")
    before = drawing(page)
    page.locator(".lg-apply").click()
    expect_another_picture(page, before)
    expect(page.locator(".lg-edits")).to_contain_text(
        f"conv1: channel {CHANNEL} taken from “A cup of coffee”"
    )
    maps_there = lenet_outputs(photo(SEED))["conv1"].copy()
    maps_there[CHANNEL] = lenet_outputs(sample("coffee"))["conv1"][CHANNEL]
    assert_mosaic_shows(pixels(maps(page)), maps_there, facts(page))
    page.wait_for_url("**edit=**")
    expect_address(page, edit=f"conv1:swap:{CHANNEL}:coffee")
    page.locator(".lg-undo").click()
    expect(page.locator(".lg-edits")).to_be_hidden()
    visit(page, server, model="lenet", layer="conv1", sample="cat", edit="conv1:swap:3:coffee", lang="zh")
    expect_calm(page)
    expect(page.locator(".lg-edits")).to_contain_text("通道 3 换成“一杯咖啡”的值")


def test_edits_travel_in_the_link(page: Page, server: str) -> None:
    """A link restores them; impossible edits get one sentence, and are left out."""
    visit(page, server, model="lenet", layer="conv2", edit="conv1:zero:3;conv1:scale:all:0.5")
    expect_calm(page)
    expect(page.locator(".lg-undo")).to_have_count(2)
    expect_address(page, edit="conv1:zero:3;conv1:scale:all:0.5")
    page.get_by_role("button", name="undo all").click()
    expect(page.locator(".lg-edits")).to_be_hidden()
    visit(page, server, model="lenet", layer="conv2", edit="conv1:zero:6")
    expect_one_sentence(page, "no channel 6: conv1 has 6")
    expect(page.locator(".lg-edits")).to_be_hidden()


@pytest.mark.parametrize("view", ["layer", "layers", "gradients"])
def test_an_edit_that_fails_when_the_model_runs_is_said_once(page: Page, server: str, view: str) -> None:
    """The sentence replaces the maps; without the edit they come back."""
    arrive(page, server, model="lenet", layer="conv2", edit="conv1:inputs.zero:7", view=view)
    expect(page.get_by_text("there is no channel 7")).to_have_count(1)
    expect(page.locator(".lg-seen")).to_contain_text("the model does not run to its end")
    settle(page)
    expect(page.get_by_text("there is no channel 7")).to_have_count(1)
    expect_calm(page)
    if view != "layers":
        expect(page.locator(".lg-link")).to_have_text("Copy link")
        for part in (page.locator(".lg-code"), page.locator(".lg-downloads")):
            expect(part).to_be_hidden()  # there is nothing to download
        page.locator(".lg-undo").click()
        expect(page.locator(".lg-code")).to_be_visible()
        page.locator('.lg-viewer img[data-layer="conv2"]').wait_for()
        expect(page.locator(".lg-seen")).not_to_contain_text("does not run")


def test_the_keyboards_focus_survives_an_edit_and_its_undoing(own_photo: Page) -> None:
    """The applied form and the pressed undo button are gone, so the focus must have moved elsewhere."""
    page = own_photo
    page.locator(".lg-edit summary").press("Enter")
    page.locator(".lg-apply").press("Enter")
    expect(page.locator(".lg-edit summary")).to_be_focused()
    page.locator(".lg-undo").press("Enter")
    expect(page.locator(".lg-viewer")).to_be_focused()
    expect(page.locator(".lg-edits")).to_be_hidden()
    expect(page.locator(".lg-viewer")).to_be_focused()


def test_a_study_ranks_the_channels_by_what_removing_them_does(own_photo: Page) -> None:
    """Each bar's number is the change of the score by hand; a click goes to the channel."""
    page = own_photo
    page.locator(".lg-edit summary").click()
    page.locator(".lg-rank").click()
    bars = page.locator(".lg-bars-list button")
    expect(bars).to_have_count(6)
    expect(page.locator(".lg-study-end")).to_have_text("Close")
    plain = lenet_without(photo(SEED), -1)["scores"]
    target = int(plain.argmax())
    changes = {
        channel: float((lenet_without(photo(SEED), channel)["scores"] - plain)[target])
        for channel in range(6)
    }
    shown = [bar.inner_text().split() for bar in bars.all()]
    assert [int(channel) for channel, *_ in shown] == sorted(changes, key=lambda channel: changes[channel])
    for channel, change in shown:
        assert float(change.replace("−", "-")) == pytest.approx(changes[int(channel)], rel=2e-3, abs=1e-4)
    bars.first.click()
    settle(page)
    expect(page.locator(".lg-channel-title")).to_have_text(f"channel {shown[0][0]}")


class HeldRanking:
    """The ranking of a layer's channels, held back: each is told once a test lets it."""

    def __init__(self, page: Page) -> None:
        self.page, self.asked = page, list[Route]()
        page.route("**/ablation.json?*", lambda route: self.asked.append(route))  # noqa: PLW0108  Playwright looks into it
        page.locator(".lg-edit summary").click()
        page.locator(".lg-rank").click()
        self._wait_for(1)

    def tell(self, *, more: bool = True) -> None:
        """Let the next channel be told; there are more, unless the ranking has ended."""
        count, (*_, route) = len(self.asked), self.asked
        with self.page.expect_response("**/ablation.json?*"):
            route.continue_(url=re.sub(r"size=\d+", "size=1", route.request.url))
        if more:
            self._wait_for(count + 1)

    def _wait_for(self, count: int) -> None:
        while len(self.asked) < count:
            self.page.wait_for_timeout(50)


def test_a_study_goes_on_under_a_hand_that_uses_it(page: Page, server: str) -> None:
    """The class keeps the keys, a channel too; a slow click on "Stop" spans the next channel's coming."""
    visit(page, server, model="lenet", layer="conv1")
    ranking, done = HeldRanking(page), page.locator(".lg-study-progress")
    ranking.tell()
    for control in (".lg-study header select", ".lg-bars-list button"):
        held = page.locator(control).first
        held.focus()
        ranking.tell()
        expect(held).to_be_focused()
    expect(done).to_contain_text("3 of 6")
    stop = page.locator(".lg-study-end")
    stop.hover()
    page.mouse.down()
    ranking.tell()
    expect(done).to_contain_text("4 of 6")
    page.mouse.up()
    expect(stop).to_have_text("Close")
    expect(done).to_have_text("stopped at 4 of 6 channels")
    expect(page.locator(".lg-bars-list li")).to_have_count(4)
    ranking.tell(more=False)
    expect(done).to_have_text("stopped at 4 of 6 channels")


@pytest.mark.parametrize("by", ["mouse", "key"])
def test_stop_that_is_held_over_the_end_of_a_study_does_not_close_it(
    page: Page, server: str, by: str
) -> None:
    """The last channel comes while the mouse, or the space bar, is down; the next click closes the result."""
    visit(page, server, model="lenet", layer="conv1")
    ranking, stop = HeldRanking(page), page.locator(".lg-study-end")
    for _ in range(5):
        ranking.tell()
    stop.hover()
    stop.focus()
    page.mouse.down() if by == "mouse" else page.keyboard.down(" ")
    ranking.tell(more=False)
    expect(stop).to_have_text("Close")
    if by == "mouse":
        page.mouse.up()
    else:
        page.keyboard.down(" ")  # a key that is held repeats itself
        page.keyboard.up(" ")
    expect(page.locator(".lg-bars-list li")).to_have_count(6)
    stop.click()
    expect(stop).to_be_hidden()


def test_enter_that_is_held_on_stop_does_not_close_the_result(page: Page, server: str) -> None:
    """It clicks again and again; once it is let go and pressed again it closes the result."""
    visit(page, server, model="lenet", layer="conv1")
    ranking, stop = HeldRanking(page), page.locator(".lg-study-end")
    ranking.tell()
    stop.focus()
    page.keyboard.down("Enter")
    expect(stop).to_have_text("Close")
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator(".lg-bars-list li")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(stop).to_be_hidden()


def test_a_study_ends_with_its_view(page: Page, server: str) -> None:
    """No further channel is asked for where nobody sees the answer."""
    visit(page, server, model="lenet", layer="conv1")
    ranking = HeldRanking(page)
    ranking.tell()
    page.locator("[data-part=view] [data-value=layers]").click()
    page.locator(".lg-overview img").first.wait_for()
    ranking.tell(more=False)
    page.wait_for_timeout(500)  # time for what would come next
    assert len(ranking.asked) == 2


def test_a_layer_that_can_only_be_edited_as_a_whole_is_put_back(page: Page, server: str) -> None:
    """The button says so, and the same key does it."""
    visit(page, server, model="signalnet", layer="features.0")
    button, said = page.locator(".lg-remove"), page.locator(".lg-edits")
    expect(button).to_have_text("Remove")
    edit(page, "x")
    expect(said).to_contain_text("features.0")
    expect(button).to_have_text("Put back")
    edit(page, "x")
    expect(said).to_be_hidden()
    expect(button).to_have_text("Remove")
    page.wait_for_url(lambda url: "edit=" not in url)
