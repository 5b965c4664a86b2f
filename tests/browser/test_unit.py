"""The page of a unit: reached from its channel, and from there on to what feeds it and what reads it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import arrive, click_tile, expect_calm, go, maps
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

RUNS = "() => document.documentElement.dataset.scriptRuns"
SIDEWAYS = """() => document.querySelector("[data-testid=stMain]").scrollWidth
    - document.querySelector("[data-testid=stMain]").clientWidth"""
BEFORE, AFTER = ".lg-unit-before button.lg-unit-row", ".lg-unit-after button.lg-unit-row"


def _title(page: Page, layer: str, unit: int) -> None:
    expect(page.locator(".lg-unit-head h2")).to_contain_text(layer)
    expect(page.locator(".lg-unit-head h2 b")).to_have_text(f"unit {unit}")


def test_a_channel_leads_to_its_unit_and_back_and_no_script_runs(page: Page, server: str) -> None:
    """By the button beside the map, by the key both ways, and by undo."""
    go(page, server, model="lenet", layer="conv2")
    runs = page.evaluate(RUNS)
    click_tile(page, 9)
    page.locator(".lg-unit-open").click()
    _title(page, "conv2", 9)
    page.wait_for_url("**view=unit**")
    assert "channel=9" in page.url
    page.keyboard.press("u")
    expect(maps(page, "conv2")).to_be_visible()
    expect(page.locator(".lg-channel-title")).to_have_text("channel 9")
    page.keyboard.press("u")
    _title(page, "conv2", 9)
    page.keyboard.press("Control+z")
    expect(maps(page, "conv2")).to_be_visible()
    assert page.evaluate(RUNS) == runs
    expect_calm(page)


def test_a_link_opens_it_with_all_that_is_known(visitor: Callable[..., Page], server: str) -> None:
    """Six kernels, six feeders, readers in the next layer, and what the classes lose."""
    page = arrive(visitor(), server, model="lenet", layer="conv2", channel="5", view="unit")
    _title(page, "conv2", 5)
    expect(page.locator(BEFORE)).to_have_count(6)
    expect(page.locator(AFTER)).to_have_count(8)
    expect(page.locator(AFTER).first).to_contain_text("fc1")
    expect(page.locator(BEFORE).first).to_contain_text("through relu1, pool1")
    expect(page.locator(".lg-unit-weights p").first).to_contain_text("6 of 6 kernels of 5 × 5 weights")
    expect(page.locator(".lg-unit-classes li")).to_have_count(5)
    expect(page.locator(".lg-unit-map canvas")).to_be_visible()
    expect_calm(page)


def test_one_goes_on_to_a_feeder_and_to_a_reader_with_mouse_and_keyboard(page: Page, server: str) -> None:
    """Each is a unit with a page of its own; undo comes back."""
    go(page, server, model="lenet", layer="conv2", channel="5", view="unit")
    first = page.locator(BEFORE).first
    layer, channel = (first.get_attribute("data-unit") or "").split()
    first.click()
    _title(page, layer, int(channel))
    assert layer == "conv1"
    expect(page.locator(".lg-unit-before")).to_contain_text("of the picture")
    reader = page.locator(AFTER).first
    layer, channel = (reader.get_attribute("data-unit") or "").split()
    reader.focus()
    page.keyboard.press("Enter")
    _title(page, layer, int(channel))
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    _title(page, "conv2", 5)


def test_keys_step_through_units_and_layers(page: Page, server: str) -> None:
    """Down and Up to the next unit and back, round the end; Right to the next layer's most varied one."""
    go(page, server, model="lenet", layer="conv2", channel="15", view="unit")
    expect(page.locator(AFTER).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    _title(page, "conv2", 0)
    page.keyboard.press("ArrowUp")
    _title(page, "conv2", 15)
    expect(page.locator(AFTER).first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lg-unit-layer").first).to_have_text("relu2")
    until(page, "() => document.querySelector('.lg-unit-weights p')?.textContent.startsWith('ReLU mixes')")
    expect(page.locator(BEFORE)).to_have_count(1)


def test_the_keys_tell_the_maps_numbers_and_come_back(page: Page, server: str) -> None:
    """Another cell has another number; after Escape the arrows step through units again."""
    go(page, server, model="lenet", layer="conv2", channel="5", view="unit")
    expect(page.locator(AFTER).first).to_be_visible()
    canvas, told = page.locator(".lg-unit-map .lg-large"), page.locator(".lg-unit-map .lg-value")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("[5, 5, 6] = ")
    first = told.inner_text()
    page.keyboard.press("ArrowDown")
    expect(told).to_contain_text("[5, 6, 6] = ")
    assert told.inner_text().split("=")[1] != first.split("=")[1]
    expect(canvas).to_have_attribute("aria-label", re.compile("channel 5 · .* Escape leaves the map"))
    page.keyboard.press("Escape")
    expect(page.locator(".lg-unit-map .lg-cell")).to_be_hidden()
    expect(told).not_to_contain_text("[5, 6, 6]")
    page.keyboard.press("ArrowDown")
    _title(page, "conv2", 6)


def test_the_list_is_sorted_by_weight_as_well(page: Page, server: str) -> None:
    """The order is that of the numbers in the answer; both orders have the same six feeders."""
    go(page, server, model="lenet", layer="conv2", channel="5", view="unit")
    rows = page.locator(BEFORE)
    expect(rows).to_have_count(6)
    by_effect = [row.get_attribute("data-unit") for row in rows.all()]
    page.locator(".lg-unit-before").get_by_text("By weight").click()
    expect(page.locator(".lg-unit-before input:checked")).to_have_value("weight")
    by_weight = [row.get_attribute("data-unit") for row in rows.all()]
    assert sorted(map(str, by_weight)) == sorted(map(str, by_effect))
    values = [
        float(text.replace("\u00a0%", ""))
        for text in page.locator(f"{BEFORE} .lg-unit-value").all_inner_texts()
    ]
    assert values == sorted(values, reverse=True)
    measure = page.locator(".lg-unit-before .lg-unit-measure")  # what the percentages are shares of, in sight
    expect(measure).to_have_text(re.compile(r"^In percent: the norm of the weights .* of the later layer\.$"))
    page.locator(".lg-unit-before").get_by_text("By effect").click()
    expect(measure).to_have_text(re.compile(r"^In percent: how much the later channel changes .* layer\.$"))


def test_an_edit_in_the_look_is_in_what_is_measured(page: Page, server: str) -> None:
    """A unit that is removed says that it is zero, and moves no class."""
    go(page, server, model="lenet", layer="conv2", channel="5", view="unit", edit="conv2:zero:5")
    expect(page.locator(".lg-unit-note")).to_contain_text("zero everywhere")
    expect(page.locator(".lg-unit-classes .lg-unit-value")).to_have_text(["0"] * 5)


def test_a_unit_that_is_not_there_is_said_in_a_sentence(visitor: Callable[..., Page], server: str) -> None:
    """The page chooses another channel, as it does for any link."""
    page = arrive(visitor(), server, model="lenet", layer="conv2", channel="99", view="unit")
    expect(page.locator(".lg-unit-list").first).to_be_visible()
    expect(page.locator(".lg-unit-head h2 b")).to_be_visible()
    assert "unit 99" not in page.locator(".lg-unit-head").inner_text()


@EVERY_TYPEFACE
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_phone_shows_it_in_one_column(looker: Callable[..., Page], server: str, lang: str) -> None:
    """Nothing scrolls sideways; the unit comes first, then what feeds it, then what reads it."""
    page = go(
        looker(viewport={"width": 360, "height": 640}),
        server,
        model="photonet",
        layer="stage1.1.conv2",
        channel="4",
        view="unit",
        lang=lang,
    )
    expect(page.locator(AFTER).first).to_be_visible()
    tops = page.evaluate(
        "() => ['map', 'before', 'after'].map((name) =>"
        " document.querySelector(`.lg-unit-${name}`).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    assert page.evaluate(SIDEWAYS) == 0
