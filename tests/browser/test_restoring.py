"""A view's address restores it exactly, and the back button goes back."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    address,
    choose,
    chosen,
    click_tile,
    expect_address,
    expect_calm,
    facts,
    first_visit,
    maps,
    press,
    settle,
    visit,
)
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VIEW = {
    "model": "lenet",
    "weights": "random",
    "layer": "conv2",
    "channel": "3",
    "colormap": "magma",
    "scale": "channel",
    "order": "variance",
    "sample": "coffee",
    "lang": "zh",
}


def test_an_address_restores_the_view_exactly(page: Page, server: str) -> None:
    """Everything in the address is on screen, and the page writes the same address again."""
    visit(page, server, **VIEW)
    expect_calm(page)
    drawn = facts(page)
    assert (drawn["layer"], drawn["colormap"], len(drawn["vmin"])) == ("conv2", "magma", 16)
    assert sorted(drawn["geometry"]["order"]) == list(range(16))
    expect(page.locator(".lg-channel-title")).to_have_text("通道 3")
    assert chosen(page, "sample") == "一杯咖啡"
    assert "未训练" in page.locator(".lg-facts").inner_text()
    assert address(page) == VIEW
    before = maps(page).evaluate("image => image.alt")
    page.reload()
    maps(page, "conv2").wait_for()
    assert maps(page).evaluate("image => image.alt") == before


def test_calls_are_counted_from_one(page: Page, server: str) -> None:
    """The second call of a reused module is call=2 in the address, and the viewer says so."""
    view = {"model": "resnet18", "weights": "random", "layer": "layer1.0.relu", "call": "2"}
    visit(page, server, **view)
    assert (facts(page)["call"], facts(page)["calls"]) == (1, 2)
    assert "call 2 of 2" in page.locator(".lg-facts").inner_text()
    settle(page)
    expect_address(page, call="2")
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft")  # past what ran between the two calls
    expect(page.locator(".lg-facts")).to_contain_text("call 1 of 2")
    page.wait_for_url(lambda url: "call=" not in url)


def test_the_address_follows_what_the_visitor_does(page: Page, server: str) -> None:
    """Flips and clicks in the browser end up in the address once the visitor stops."""
    visit(page, server, model="lenet", layer="conv1")
    press(page, "ArrowRight", "ArrowRight")
    maps(page, "pool1").wait_for()
    click_tile(page, 4)
    page.wait_for_url(lambda url: "layer=pool1" in url and "channel=4" in url)


DRAWN_IN = """async colormap => {
    const image = document.querySelector(".lg-stage img[data-layer]");
    const facts = image && await (await fetch(image.dataset.address.replace(".png", ".json"))).json();
    return facts?.colormap === colormap;
}"""


def test_the_back_button_restores_the_previous_view(page: Page, server: str) -> None:
    """Back and forward through layers, models and colours, without a notice."""
    visit(page, server, model="lenet", layer="conv1")
    choose(page, "layer", "conv2")
    page.wait_for_url("**layer=conv2**")
    choose(page, "colormap", "magma")
    page.wait_for_url("**colormap=magma**")
    press(page, "ArrowRight")
    page.wait_for_url("**layer=relu2**")
    _stands_on(page, "relu2", "magma")
    for layer, colormap in (("conv2", "magma"), ("conv2", "coolwarm"), ("conv1", "coolwarm")):
        page.go_back()
        _stands_on(page, layer, colormap)
    page.go_forward()
    _stands_on(page, "conv2", "coolwarm")
    expect_calm(page)


def test_going_back_to_another_model_finds_its_layer_and_edits(page: Page, server: str) -> None:
    """The other model has neither; forward leads to it again."""
    visit(page, server, model="lenet", layer="conv2", edit="conv1:zero:1")
    choose(page, "model", "photonet")
    page.wait_for_url("**model=photonet**")
    maps(page, "stem.conv").wait_for()
    expect(page.locator(".lg-edits")).to_be_hidden()
    settle(page)
    page.go_back()
    maps(page, "conv2").wait_for()
    expect(page.locator(".lg-edits")).to_contain_text("conv1: channel 1 removed")
    settle(page)
    assert (chosen(page, "model"), address(page)["layer"]) == ("lenet · ready", "conv2")
    page.go_forward()
    maps(page, "stem.conv").wait_for()
    settle(page)
    expect_address(page, model="photonet")
    expect_calm(page)


def test_undo_after_another_model_brings_back_none_of_the_edits_before(page: Page, server: str) -> None:
    """It shows layers that the model has, with no edit of another model's."""
    visit(page, server, model="lenet", layer="conv1", channel="3")
    press(page, "x")
    expect(page.locator(".lg-edits")).to_contain_text("conv1: channel 3 removed")
    press(page, "ArrowRight")
    maps(page, "relu1").wait_for()
    choose(page, "model", "photonet")
    maps(page, "stem.conv").wait_for()
    for _ in range(2):
        press(page, "Control+z")
        settle(page)
        maps(page, "stem.conv").wait_for()
        expect(page.locator(".lg-edits")).to_be_hidden()
        expect(page).not_to_have_url(re.compile("edit="))
    expect_calm(page)


def _stands_on(page: Page, layer: str, colormap: str) -> None:
    """Dropdown and maps show the layer, and the page has settled."""
    expect(page.locator("[data-part=layer]").first).to_have_value(layer)
    maps(page, layer).wait_for()
    until(page, DRAWN_IN, arg=colormap)  # the same layer may still be shown in other colours
    settle(page)


def test_the_first_choice_at_a_bare_address_counts(page: Page, server: str) -> None:
    """The browser has written the address since the arrival; that is no wish to go back to it."""
    first_visit(page, server)
    page.wait_for_url("**sample=cat**")
    choose(page, "model", "lenet")
    maps(page, "conv1").wait_for()
    assert (chosen(page, "model"), address(page)["model"]) == ("lenet · ready", "lenet")
    expect_calm(page)
