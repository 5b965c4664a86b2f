"""Meanings of the colours: one scale for the model, and clipped colours, explained beside the maps."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.oracle import assert_colours, lenet_outputs
from tests.browser.pictures import photo
from tests.browser.steps import (
    choose,
    drawing,
    expect_another_picture,
    facts,
    maps,
    pixels,
    press,
    visit,
    visit_with_photo,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED = 41


@pytest.fixture
def own_photo(page: Page, server: str) -> Page:
    """A page on LeNet's first convolution for an own photo."""
    return visit_with_photo(page, server, SEED, model="lenet", layer="conv1")


def colour_places(page: Page) -> list[float]:
    """Return the places of the colours of the bar below the histogram, in per cent of its length."""
    drawn = page.locator(".lg-panel .lg-colours").evaluate("bar => bar.style.background")
    return [float(place) for place in re.findall(r"(-?[\d.]+)%", drawn)]


def choose_scale(page: Page, option: str) -> None:
    """Pick a scale, and wait until the page shows other maps."""
    before = drawing(page)
    choose(page, "scale", option)
    expect_another_picture(page, before)


def test_flipping_keeps_the_models_scale(own_photo: Page) -> None:
    """Every layer has the same limits, named beside the maps; every pixel has the right colour for them."""
    page, outputs = own_photo, lenet_outputs(photo(SEED))
    choose_scale(page, "one for the whole model")
    expect(page.locator(".lg-note")).to_contain_text("one scale for the whole model")
    first = facts(page)
    page.wait_for_url("**scale=model**")
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    maps(page, "conv2").wait_for()
    second = facts(page)
    assert (second["vmin"], second["vmax"]) == (first["vmin"], first["vmax"])
    assert second["vmax"] == -second["vmin"] >= max(abs(each).max() for each in outputs.values()) * 0.9999
    assert_colours(pixels(maps(page)), outputs["conv2"], second)


def test_clipped_colours_say_what_they_leave_out(own_photo: Page) -> None:
    """The note names the limits and the share of values beyond them, which have one colour on the bar."""
    page, conv1 = own_photo, lenet_outputs(photo(SEED))["conv1"]
    plain = colour_places(page)
    choose_scale(page, "1st to 99th percentile")
    drawn = facts(page)
    reach = max(-np.percentile(conv1, 1), np.percentile(conv1, 99))
    assert drawn["vmax"] == -drawn["vmin"] == pytest.approx(reach, rel=0.01)
    beyond = (abs(conv1) > drawn["vmax"]).mean()
    assert drawn["beyond"] == pytest.approx(beyond, abs=2e-4)
    expect(page.locator(".lg-note")).to_contain_text(
        "on both sides of zero as the 1st or the 99th percentile"
    )
    said = re.search(r"([\d.]+)\s% of the values lie beyond", page.locator(".lg-note").inner_text())
    assert said is not None
    assert float(said[1]) == pytest.approx(100 * drawn["beyond"], rel=0.01)
    assert_colours(pixels(maps(page)), conv1, drawn)
    stops = colour_places(page)
    assert stops[0] > plain[0]
    assert stops[-1] < plain[-1]


def test_all_layers_can_share_one_scale(page: Page, server: str) -> None:
    """In the overview, small pictures of ReLU layers have no colour from below zero."""
    visit(page, server, model="lenet", layer="conv1", scale="model")
    page.locator("[data-part=view]").get_by_text("All layers").click()
    card = page.locator('.lg-overview button[data-layer="relu1"] img')
    card.wait_for()
    colours = pixels(card)[..., :3].reshape(-1, 3).astype(int)
    neutral = np.array([221, 220, 219])  # coolwarm's colour for zero
    assert (colours[:, 0] - colours[:, 2] >= neutral[0] - neutral[2] - 2).all()
    expect(page.locator(".lg-overview-scale")).to_contain_text("all on one scale")


def test_pale_maps_become_brighter_with_one_click_and_another_takes_it_back(page: Page, server: str) -> None:
    """The button is there where a hundredth of the values takes most of the colours, and says if it is on."""
    visit(page, server, model="efficientnet_lite0", layer="stem.conv")
    brighter, before = page.get_by_role("button", name="brighter"), facts(page)
    brighter.click()
    page.wait_for_url("**colormap=auto_root**")
    expect(brighter).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".lg-note")).to_contain_text("square root")
    assert (facts(page)["colormap"], facts(page)["vmax"]) == ("coolwarm_root", before["vmax"])
    page.reload()
    expect(brighter).to_have_attribute("aria-pressed", "true")
    brighter.click()
    expect(brighter).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".lg-note")).not_to_contain_text("square root")
    assert facts(page)["colormap"] == "coolwarm"
    visit(page, server, model="lenet", layer="fc1")
    expect(brighter).to_be_hidden()
