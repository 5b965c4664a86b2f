"""Layers' sums, played on the page: every sum is the number that the layer returned."""

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import go, press, settle, visit
from tests.browser.test_accessibility import expect_no_violations
from tests.browser.typefaces import in_turn
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

VALUES = """async ([layer, channel, query]) => {
    const subject = document.querySelector("[data-subject]").dataset.subject;
    const look = new URLSearchParams({ layer, channel, ...query });
    return [...new Float32Array(await (await fetch(`maps/${subject}/values?${look}`)).arrayBuffer())];
}"""


def number(text: str) -> float:
    """Return the value of a number on the page."""
    return float(text.strip().replace("−", "-"))


def reading(page: Page) -> Locator:
    """The reading, once it is there."""
    place = page.locator(".lg-reading:not([hidden]):not([aria-busy])")
    place.wait_for()
    return place


def opened(page: Page) -> Locator:
    """The reading of the layer on screen, by the button."""
    page.locator(".lg-kind-ask").click()
    return reading(page)


def map_of(page: Page, layer: str, channel: int, **query: str) -> list[float]:
    """The numbers of a map as the page's own address answers them."""
    values: list[float] = page.evaluate(VALUES, [layer, str(channel), query])
    return values


def check_every_sum(page: Page, layer: str, side: int, **query: str) -> int:
    """Step through the whole block: the text of each sum is the map's number; return how many there were."""
    place = reading(page)
    place.focus()
    page.keyboard.press("Home")
    title = place.locator("figcaption").last.inner_text()
    channel = int(re.findall(r"\d+", title)[0])
    values, checked = map_of(page, layer, channel, **query), 0
    last = int(place.locator("input[type=range]").get_attribute("max") or 0)
    for step in range(1, last + 1):
        expect(place.locator(".lg-hooks-count")).to_have_text(f"{step} of {last}")
        verdict = place.locator(".lg-reading-verdict").inner_text()
        if verdict:
            index = [int(each) for each in re.findall(r"\[(.*)\]", verdict)[0].split(",")]
            row, column = index[-2:]
            shown = place.locator(".lg-reading-total b, .lg-reading-sum b").last.get_attribute("title") or ""
            assert number(shown) == pytest.approx(values[row * side + column], rel=1e-4, abs=1e-5)
            assert "the same" in verdict
            checked += 1
        page.keyboard.press("ArrowRight")
    return checked


def test_a_whole_block_of_the_default_net_is_summed_as_the_layer_did(
    visitor: Callable[..., Page], server: str
) -> None:
    """The first convolution of the net that opens, stepped through by the arrow keys."""
    page = visitor()
    page.goto(server)
    page.locator(".lg-stage img[data-layer]").wait_for()
    settle(page)
    shown = page.locator(".lg-stage img[data-layer]").get_attribute("data-layer") or ""
    place = opened(page)
    expect(place.locator(".lg-reading-about")).to_contain_text("A small window slides over the input")
    side = int(re.findall(r"\d+", page.locator(".lg-facts").inner_text().split(" · ")[0])[-1])
    model = page.evaluate("new URLSearchParams(location.search).get('model') ?? ''")
    assert check_every_sum(page, shown, side, **({"model": model} if model else {})) in {4, 9, 16, 25, 36}


@pytest.mark.parametrize(
    ("layer", "side", "said", "motion"),
    [
        ("conv2", 10, "A small window slides", "reduce"),
        ("pool1", 14, "only the largest number", "no-preference"),
        ("relu1", 28, "the same curve", "no-preference"),
    ],
)
def test_each_kind_is_summed_as_the_layer_did(
    looker: Callable[..., Page], server: str, layer: str, side: int, said: str, motion: str
) -> None:
    """A convolution, a pooling and an activation, each number of the block; that above moves another one."""
    page = looker(reduced_motion=motion)
    go(page, server, model="lenet", layer=layer)
    expect(opened(page).locator(".lg-reading-about")).to_contain_text(said)
    assert check_every_sum(page, layer, side) == 36


def test_a_normalisation_is_summed_as_the_layer_did(page: Page, server: str) -> None:
    """Its numbers are those of the map, and the spread of the channel stands beside them."""
    go(page, server, layer="stem.bn")
    expect(opened(page).locator(".lg-reading-after").first).to_be_attached()
    assert check_every_sum(page, "stem.bn", 32) == 36


def test_it_plays_by_the_space_bar_and_pauses(page: Page, server: str) -> None:
    """From the maps as well as from within; what flies is gone in the end."""
    go(page, server, model="lenet", layer="conv1")
    place = opened(page)
    count = place.locator(".lg-hooks-count")
    expect(count).to_have_text("1 of 42")
    press(page, " ")
    expect(place.locator(".lg-reading-flown").first).to_be_attached()
    expect(count).to_have_text(re.compile("^([5-9]|[1-4][0-9]) of 42"))
    expect(place.locator(".lg-reading-said")).to_have_attribute("aria-live", "off")
    page.keyboard.press(" ")
    expect(place.locator(".lg-reading-said")).to_have_attribute("aria-live", "polite")
    stands = count.inner_text()
    page.wait_for_timeout(1500)
    expect(count).to_have_text(stands)
    expect(place.locator(".lg-reading-flown")).to_have_count(0)


def test_keys_within_it_step_and_leave_the_layer_alone(page: Page, server: str) -> None:
    """Arrows, Home and End; outside of it the arrows still flip through layers, and it follows them."""
    go(page, server, model="lenet", layer="conv1")
    place = opened(page)
    place.focus()
    count = place.locator(".lg-hooks-count")
    for key, text in (
        ("End", "42 of 42"),
        ("ArrowLeft", "41 of 42"),
        ("ArrowUp", "35 of 42"),
        ("Home", "1 of 42"),
    ):
        page.keyboard.press(key)
        expect(count).to_have_text(text)
    press(page, "ArrowRight")
    expect(place.locator(".lg-reading-about")).to_contain_text("the same curve")
    expect(page.locator("h2.lg-layer")).to_contain_text("relu1")
    press(page, "i")
    expect(page.locator(".lg-reading")).to_be_hidden()


def test_the_window_is_dragged_and_a_number_of_the_output_is_clicked(page: Page, server: str) -> None:
    """The window goes to where the pointer is; a click on the output brings the window of that number."""
    go(page, server, model="lenet", layer="conv2", channel="3")
    place = opened(page)
    window = place.locator(".lg-reading-input .lg-square-frame")
    box = place.locator(".lg-reading-input").bounding_box()
    assert box
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    page.mouse.down()
    before = window.get_attribute("style")
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] - 2, steps=4)
    page.mouse.up()
    expect(place.locator(".lg-hooks-count")).to_have_text("42 of 42")
    assert window.get_attribute("style") != before
    output = place.locator(".lg-reading-output")
    area = output.bounding_box()
    assert area
    output.click(position={"x": area["width"] / 12, "y": area["height"] / 12})
    expect(place.locator(".lg-hooks-count")).to_have_text("4 of 42")


def test_the_block_is_moved_by_a_cell_of_the_map_and_the_number_plays(page: Page, server: str) -> None:
    """A cell of the large map, then its sum as a moving picture from the panel of one number."""
    go(page, server, model="lenet", layer="conv1", channel="2")
    canvas = page.locator(".lg-large")
    side = canvas.evaluate("canvas => canvas.clientWidth / canvas.width")
    canvas.click(position={"x": 20.5 * side, "y": 3.5 * side})
    page.locator(".lg-play-sum").click()
    place = reading(page)
    expect(place.locator(".lg-reading-verdict")).to_contain_text("[0, 2, 3, 20]: the same")
    expect(place.locator(".lg-reading-said")).to_contain_text("Row 3, column 20: ")
    expect(place.locator(".lg-player-play")).to_have_accessible_name("Play")
    expect(page.locator("h2.lg-layer")).to_contain_text("conv1")
    canvas.click(position={"x": 5.5 * side, "y": 6.5 * side})
    expect(place.locator(".lg-reading-said")).to_contain_text("row 6, column 5")


def test_another_channel_of_the_input_can_be_chosen(page: Page, server: str) -> None:
    """Its own window comes, and the same total."""
    go(page, server, model="lenet", layer="conv2")
    place = opened(page)
    place.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    total = place.locator(".lg-reading-total b")
    first = number(total.get_attribute("title") or "")
    box = place.locator("figcaption select")
    other = box.locator("option").all_inner_texts()[-1].split(" ")[0]
    box.select_option(value=other)
    expect(place.locator("figcaption select")).to_have_value(other)
    until(page, "!document.querySelector('.lg-reading').hasAttribute('aria-busy')")
    place.focus()
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    np.testing.assert_allclose(number(total.get_attribute("title") or ""), first, rtol=1e-9)


def test_the_list_of_input_channels_keeps_the_keys_after_a_choice(page: Page, server: str) -> None:
    """The next arrow goes on in the list, and not through the steps or the layers."""
    go(page, server, model="lenet", layer="conv2")
    box = opened(page).locator("figcaption select")
    page.keyboard.press("Tab")  # as one who works without a mouse
    box.evaluate("box => { window.firstBox = box; }")
    box.focus()
    page.keyboard.press("End")
    until(page, "!window.firstBox.isConnected")
    expect(box).to_be_focused()
    chosen = box.input_value()
    page.keyboard.press("Home")
    expect(box).not_to_have_value(chosen)


def test_an_edited_number_says_so(page: Page, server: str) -> None:
    """A channel that was removed: the sum is what the layer made, and not what is on the map."""
    go(page, server, model="lenet", layer="conv1", channel="2", edit="conv1:zero:2")
    place = opened(page)
    place.focus()
    page.keyboard.press("End")
    expect(place.locator(".lg-reading-verdict")).to_contain_text("An edit changed this number")


def test_a_block_of_layers_says_which_ones_are_explained(page: Page, server: str) -> None:
    """One sentence, and no player."""
    go(page, server, layer="stem")
    place = opened(page)
    expect(place.locator(".lg-reading-about")).to_contain_text("explained one by one")
    expect(place.locator(".lg-player")).to_be_hidden()


def test_without_motion_it_goes_in_steps(visitor: Callable[..., Page], server: str) -> None:
    """Nothing flies for visitors who do not want it; the steps go on."""
    page = visit(visitor(reduced_motion="reduce"), server, model="lenet", layer="conv1")
    place = opened(page)
    press(page, " ")
    expect(place.locator(".lg-hooks-count")).to_have_text(re.compile("^([5-9]|[1-4][0-9]) of 42"))
    expect(place.locator(".lg-reading-flown")).to_have_count(0)
    assert (
        place.locator(".lg-square-frame").first.evaluate(
            "frame => getComputedStyle(frame).transitionDuration"
        )
        == "0s"
    )


SCREENS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 780}, "is_mobile": True, "has_touch": True},
}


@in_turn(("screen", "layer"), *product(SCREENS, ("stem.conv", "stem.bn", "stem.relu", "fc")))
def test_it_keeps_the_rules_on_every_screen(
    looker: Callable[..., Page], server: str, screen: str, layer: str
) -> None:
    """Axe-core, with the last number of the block there; and nothing is wider than the screen."""
    page = go(looker(**SCREENS[screen]), server, layer=layer)
    place = opened(page)
    place.focus()
    page.keyboard.press("End")
    expect_no_violations(page)
    wide = page.evaluate("document.querySelector('.lg-reading').getBoundingClientRect().right")
    assert wide <= page.evaluate("innerWidth")
    inside = place.locator(".lg-reading-scene").evaluate(
        "scene => scene.scrollWidth <= scene.clientWidth + 1"
    )
    assert inside


def test_it_speaks_chinese(page: Page, server: str) -> None:
    """All of it: the sentences, the steps and the names of the buttons."""
    go(page, server, layer="stem.conv", lang="zh")
    page.locator(".lg-kind-ask").click()
    place = reading(page)
    assert not re.search(r"[A-Za-z]{4,}", place.inner_text())
    names = place.locator(".lg-player [aria-label]").evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert names
    assert not any(re.search("[a-z]{4}", name) for name in names)
