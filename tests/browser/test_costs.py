"""Costs on the real page: the page asks first, and offers something cheaper instead."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import serving
from tests.browser.steps import (
    arrive,
    expect_address,
    expect_more,
    expect_one_sentence,
    maps,
    notices,
    press,
    settle,
    visit,
)
from tests.browser.two_sides import side

LIMITS = "limits#how-much-memory-may-it-all-take"
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def frugal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that asks before a request takes 20 MB, and allows no more than 200 MB."""
    with pytest.MonkeyPatch.context() as settings:
        settings.setenv("LAYERGLASS_ASK_MB", "20")
        settings.setenv("LAYERGLASS_REFUSE_MB", "200")
        with serving(tmp_path_factory.mktemp("frugal")) as address:
            yield address


def click(page: Page, name: str) -> None:
    """Click a button, once the page is ready for it."""
    settle(page)
    page.get_by_role("button", name=name, exact=True).click()


def expect_asked(page: Page, *parts: str) -> None:
    """Once the page is ready, it tells the visitor the cost and nothing else."""
    expect(page.get_by_text(parts[0])).to_be_visible()
    settle(page)
    expect_one_sentence(page, *parts)


def test_a_model_and_a_layer_are_shown_once_the_visitor_agrees(page: Page, frugal: str) -> None:
    """ResNet-18 takes 8 bytes for each of its 11,689,512 numbers, its first layer 9 x 4 x 64 x 112 x 112."""
    arrive(page, frugal, model="resnet18", weights="random", layer="conv1")
    expect_asked(page, "resnet18 takes about 94 MB of memory to load", "MB are free")
    expect(page.locator(".lg-viewer")).to_have_count(0)
    expect_more(page.locator("[data-testid=stAlert]"), LIMITS)
    click(page, "Go on")
    expect_asked(page, "conv1 takes about 29 MB of memory to show")
    expect_more(page.locator(".lg-cost"), LIMITS)
    expect(page.locator(".lg-reason").last).to_contain_text("Not shown yet: it takes about 29 MB")
    click(page, "Show maxpool instead, about 7 MB")
    maps(page, "maxpool").wait_for()
    expect(notices(page)).to_have_count(0)
    press(page, "ArrowLeft")
    expect_asked(page, "relu takes about 29 MB of memory to show")
    expect(maps(page)).to_have_count(0)
    click(page, "Go on")
    maps(page, "relu").wait_for()
    expect(notices(page)).to_have_count(0)


def test_all_layers_at_once_are_said_to_cost_more_than_one(page: Page, frugal: str) -> None:
    """One click shows the layer alone instead."""
    arrive(page, frugal, model="resnet18", weights="random", layer="layer4", view="layers")
    click(page, "Go on")
    expect_asked(page, "All layers of resnet18 take about", "MB of memory")
    expect(page.locator(".lg-overview")).to_have_count(0)
    click(page, "Show layer4 alone")
    maps(page, "layer4").wait_for()


def test_the_other_side_of_a_comparison_is_asked_for_too(page: Page, frugal: str) -> None:
    """First for its model, then for its layer; the cheaper offer is chosen on that side."""
    arrive(
        page,
        frugal,
        view="compare",
        model="lenet",
        layer="conv1",
        with_model="resnet18",
        with_weights="random",
    )
    cost = page.locator(".lg-compare .lg-cost")
    expect_asked(page, "resnet18 takes about 94 MB of memory to load")
    expect(cost).to_contain_text("resnet18 takes about 94 MB of memory to load")
    expect(page.locator("[data-part=cost_go_on]")).to_have_text("Go on")
    click(page, "Go on")
    expect_asked(page, "conv1 takes about 29 MB of memory to show")
    expect(cost).to_contain_text("conv1 takes about 29 MB of memory to show")
    expect(page.locator("[data-part=cost_instead]")).to_have_text("Show maxpool instead, about 7 MB")
    click(page, "Show maxpool instead, about 7 MB")
    side(page, "right", "maxpool").wait_for()
    side(page, "left", "conv1").wait_for()
    expect_address(page, layer="conv1")
    expect(notices(page)).to_have_count(0)


def test_what_is_beyond_the_limit_cannot_be_agreed_to(page: Page, frugal: str) -> None:
    """ResNet-50 would take 204 MB; the offer to show something else works."""
    arrive(page, frugal, model="resnet50", weights="random")
    expect_asked(page, "resnet50 takes about 204 MB", "One request may take 200 MB here")
    expect(page.get_by_role("button", name="Go on", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Show efficientnet_lite0 instead, about 37 MB")).to_be_visible()


def test_what_costs_little_is_shown_without_a_word(page: Page, frugal: str) -> None:
    """Even this server does not ask for that."""
    visit(page, frugal, model="lenet", layer="conv1")
    settle(page)
    expect(notices(page)).to_have_count(0)
