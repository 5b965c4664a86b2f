"""The last layer names its classes: a list by score, names under the pointer and in titles, a search."""

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

import models
from tests.browser.steps import click_tile, go, press, settle, tile_centre
from tests.browser.steps import maps as maps_of
from viz.pictures.samples import sample

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]


def rows(page: Page) -> list[list[str]]:
    """Return the texts of each row of the list: place, name, score, probability."""
    found: list[list[str]] = page.locator(".lg-classes li button").evaluate_all(
        "all => all.map((each) => [...each.children].map((part) => part.textContent))"
    )
    return found


def scores_of(model: str, picture: str) -> np.ndarray:
    """A plain run of the model: its scores (classes,)."""
    with torch.no_grad():
        output = models.load(model)(models.describe(model).preprocessing(sample(picture)))
    found: np.ndarray = output[0].double().numpy()
    return found


def test_the_best_classes_stand_with_score_and_probability(page: Page, server: str) -> None:
    """As a plain run and its softmax say, the best first; the bundled net has ten."""
    go(page, server, model="lenet", layer="fc3", sample="cat")
    page.locator(".lg-classes").wait_for()
    scores, classes = scores_of("lenet", "cat"), models.describe("lenet").classes
    shares = np.exp(scores) / np.exp(scores).sum()
    order = np.argsort(-scores)
    found = rows(page)
    assert [row[1] for row in found] == [classes[place] for place in order]
    for row, place in zip(found, order, strict=True):
        assert float(row[2].replace("−", "-")) == pytest.approx(scores[place], rel=1e-3)
        assert row[3].endswith("\u00a0%")
    assert float(found[0][3].split("\u00a0")[0]) == pytest.approx(100 * shares[order[0]], abs=0.6)


def test_one_of_a_thousand_classes_is_found_by_its_name(page: Page, server: str) -> None:
    """The default net: espresso first; a search, a click, and the title and the address say which it is."""
    go(page, server, model="efficientnet_lite0", layer="head.fc", sample="coffee")
    page.locator(".lg-classes").wait_for()
    assert [len(rows(page)), rows(page)[0][1]] == [10, "espresso"]  # the liveliest is on screen: one of them
    page.get_by_label("Search a class").fill("golden ret")
    expect(page.locator(".lg-classes li")).to_have_count(1)
    page.locator(".lg-classes li button").click()
    page.wait_for_url("**channel=207**")
    expect(page.locator(".lg-channel-title")).to_have_text("golden retriever · channel 207")
    page.get_by_label("Search a class").fill("no such class")
    expect(page.locator(".lg-classes")).to_contain_text("No class is called that.")
    page.get_by_label("Search a class").fill("")
    assert [len(rows(page)), rows(page)[-1][1]] == [11, "golden retriever"]
    assert int(rows(page)[-1][0]) == 1 + int(
        (scores_of("efficientnet_lite0", "coffee") > scores_of("efficientnet_lite0", "coffee")[207]).sum()
    )


def test_rows_stay_under_a_finger_and_under_the_keyboards_focus(page: Page, server: str) -> None:
    """While other maps come, here for a wider window; the very rows, and none that look like them."""
    go(page, server, model="lenet", layer="fc3", sample="cat")
    page.locator(".lg-classes").wait_for()
    settle(page)
    third = page.locator(".lg-classes li button").nth(2)
    third.focus()
    before = maps_of(page).get_attribute("data-address")
    page.set_viewport_size({"width": 1700, "height": 900})
    expect(maps_of(page)).not_to_have_attribute("data-address", str(before))
    settle(page)
    expect(third).to_be_focused()


def test_the_pointer_on_a_square_says_its_class(page: Page, server: str) -> None:
    """A click chooses it."""
    go(page, server, model="lenet", layer="fc3", sample="cat")
    page.locator(".lg-classes").wait_for()
    at = tile_centre(page, 3)
    maps_of(page).hover(position={"x": at[0], "y": at[1]})
    expect(page.locator(".lg-status")).to_contain_text("cat · channel 3")
    click_tile(page, 3)
    expect(page.locator(".lg-channel-title")).to_have_text("cat · channel 3")
    expect(page.locator(".lg-classes [aria-pressed=true]")).to_contain_text("cat")
    page.wait_for_url("**channel=3**")


def test_no_other_layer_names_classes(page: Page, server: str) -> None:
    """Not the one before it; with edits of the last one, its own numbers are listed."""
    go(page, server, model="lenet", layer="fc3", edit="fc3:zero:3", sample="cat")
    page.locator(".lg-classes").wait_for()
    assert [row[2] for row in rows(page) if row[1] == "cat"] == ["0"]
    press(page, "ArrowLeft")
    maps_of(page, "relu4").wait_for()
    expect(page.locator(".lg-classes")).to_be_hidden()
    expect(page.locator(".lg-channel-title")).to_have_text("channel 0")


def test_gradients_have_names_but_no_ranks(page: Page, server: str) -> None:
    """The gradient of a score with respect to itself is 1: that is no rank."""
    go(page, server, model="lenet", layer="fc3", view="gradients", channel="3", target="3", sample="cat")
    expect(page.locator(".lg-channel-title")).to_have_text("cat · channel 3")
    expect(page.locator(".lg-classes")).to_be_hidden()
