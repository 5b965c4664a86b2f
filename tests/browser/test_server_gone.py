"""A server that is killed under open pages, and a laptop that slept too long: nobody sees a wrong picture."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.forgetting import expect_forgotten, forgetful
from tests.browser.oracle import assert_mosaic_shows, lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.steps import (
    choose,
    choose_in_tree,
    drawing,
    expect_another_picture,
    expect_calm,
    facts,
    maps,
    notices,
    pixels,
    settle,
    subject,
    upload,
    visit,
)
from tests.browser.test_interruptions import CONNECTED, Line
from tests.browser.test_restart import Restarted, lent

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED = 77


@pytest.fixture(scope="module")
def restarting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restarted]:
    """A server for both tests that kill it; its models run in processes of their own."""
    server = Restarted(tmp_path_factory.mktemp("restarting"), LAYERGLASS_ENGINE="process")
    yield server
    server.end()


@pytest.fixture
def restarted(restarting: Restarted) -> Iterator[Restarted]:
    """A server that can be killed."""
    yield from lent(restarting)


def expect_own_maps(page: Page, layer: str) -> None:
    """Wait until a layer is on screen; every pixel is that of the own photo, by plain functions."""
    maps(page, layer).wait_for()
    settle(page)
    assert_mosaic_shows(pixels(maps(page, layer)), lenet_outputs(photo(SEED))[layer], facts(page))


def bring(page: Page, layer: str) -> None:
    """Upload the photo, and wait for its maps."""
    before = drawing(page)
    upload(page, "own.png", png(photo(SEED)), "image/png")
    expect_another_picture(page, before)
    expect_own_maps(page, layer)


def test_a_server_that_is_killed_under_a_page_costs_one_sentence(page: Page, restarted: Restarted) -> None:
    """A pick while it is down waits, as our words say; then the page says what was lost, and goes on."""
    visit(page, restarted.address, model="lenet", layer="conv1")
    bring(page, "conv1")
    lost = subject(page)
    restarted.end()
    choose_in_tree(page, "conv2")
    expect(page.locator(".lg-away")).to_contain_text("waits for it")
    expect(page.get_by_text("Streamlit")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("stConnectionStatus")).to_be_hidden()
    expect(maps(page, "conv2")).to_have_count(0)
    restarted.process = restarted.started()
    began = time.monotonic()
    expect_another_picture(page, lost)
    maps(page, "conv2").wait_for()
    print(f"went on after {time.monotonic() - began:.1f} s")  # noqa: T201  what the test measured
    expect(page.locator(".lg-away")).to_be_hidden()
    expect(notices(page)).to_have_count(1)
    expect(notices(page)).to_contain_text("upload it again")
    bring(page, "conv2")
    choose(page, "layer", "conv1")
    expect_own_maps(page, "conv1")
    expect_calm(page)


def test_a_page_that_nobody_touches_keeps_its_picture(page: Page, restarted: Restarted) -> None:
    """The maps on screen stay while the server is away and after it has come back."""
    visit(page, restarted.address, model="lenet", layer="conv1")
    bring(page, "conv1")
    before = pixels(maps(page, "conv1"))
    restarted.restart()
    page.locator(CONNECTED).wait_for()
    assert (pixels(maps(page, "conv1")) == before).all()
    choose(page, "layer", "conv2")
    maps(page, "conv2").wait_for()
    expect(notices(page)).to_contain_text("upload it again")


@pytest.fixture
def forgetting(tmp_path: Path) -> Iterator[str]:
    """A server that forgets who has left, with its models in processes of their own."""
    with forgetful(tmp_path, LAYERGLASS_ENGINE="process") as address:
        yield address


def test_a_laptop_that_slept_too_long_goes_on_with_a_sentence(page: Page, forgetting: str) -> None:
    """The visit has ended on the server, with its picture; the view stays, and the next picks are right."""
    line = Line(page)
    visit(page, forgetting, model="lenet", layer="conv1")
    bring(page, "conv1")
    lost, shown = subject(page), pixels(maps(page, "conv1"))
    power = page.context.new_cdp_session(page)
    power.send("Page.setWebLifecycleState", {"state": "frozen"})
    page.context.set_offline(True)
    line.cut()
    expect_forgotten(forgetting, f"/maps/{lost}/layer.json?layer=conv1")
    page.context.set_offline(False)
    line.is_cut = False
    power.send("Page.setWebLifecycleState", {"state": "active"})
    page.locator(CONNECTED).wait_for()
    if maps(page, "conv1").count():
        now = pixels(maps(page, "conv1"))
        if subject(page) == lost:  # asked afterwards: a new subject's maps may have come meanwhile
            assert (now == shown).all()
    choose(page, "layer", "conv2")
    expect_another_picture(page, lost)
    maps(page, "conv2").wait_for()
    expect(notices(page)).to_have_count(1)
    expect(notices(page)).to_contain_text("upload it again")
    bring(page, "conv2")
    choose(page, "layer", "conv1")
    expect_own_maps(page, "conv1")
    expect_calm(page)
