"""A page with a slow server: what the visitor does while it waits is neither lost nor undone."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.steps import (
    address,
    arrive,
    chosen,
    click_tile,
    drawing,
    expect_address,
    expect_another_picture,
    expect_calm,
    maps,
    pick,
    press,
    settle,
    visit,
)
from tests.browser.waiting import PATIENCE, PAUSE, HeldRequests
from tests.machine import patience

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Line:
    """The connection to the page: the server's messages can be held back, the page's pass through."""

    def __init__(self, page: Page) -> None:
        self.waiting: list[Any] = []
        self.held, self.heard = False, 0
        page.route_web_socket("**/_stcore/stream", self._open)

    def _open(self, route: WebSocketRoute) -> None:
        self.page, self.server = route, route.connect_to_server()
        route.on_message(self._to_server)
        self.server.on_message(self._to_page)

    def _to_server(self, message: Any) -> None:
        self.heard += 1
        self.server.send(message)

    def _to_page(self, message: Any) -> None:
        if self.held:
            self.waiting.append(message)
        else:
            self.page.send(message)

    def release(self) -> None:
        """Let through everything that was held back, in order."""
        self.held = False
        for message in self.waiting:
            self.page.send(message)
        self.waiting.clear()

    def wait_for_answer(self, page: Page) -> None:
        """Wait until the server has answered: what the script said last is among what is held back."""
        deadline = time.monotonic() + patience(PATIENCE)
        while not any(_ends_a_run(message) for message in self.waiting):
            assert time.monotonic() < deadline, "the server never answered"
            page.wait_for_timeout(PAUSE)

    def wait_for(self, page: Page, count: int) -> None:
        """Wait until the page has sent this many messages to the server since the line was made."""
        deadline = time.monotonic() + patience(PATIENCE)
        while self.heard < count:
            assert time.monotonic() < deadline, f"the page said {self.heard} things to the server"
            page.wait_for_timeout(PAUSE)


def _ends_a_run(message: str | bytes) -> bool:
    return (
        isinstance(message, bytes) and ForwardMsg.FromString(message).WhichOneof("type") == "script_finished"
    )


def test_who_comes_back_to_a_view_finds_it_whole_whatever_the_line_holds(page: Page, server: str) -> None:
    """Ways of looking need nothing of the page's script, so none of them waits for its messages."""
    line = Line(page)
    arrive(page, server, model="lenet", layer="conv1", view="gradients")
    maps_of_gradients = page.locator(".lg-maps[data-layer=conv1]")
    maps_of_gradients.wait_for()
    settle(page)
    line.held, said = True, line.heard
    views = {
        "All layers": ".lg-overview button[data-layer=conv2] img",
        "Course": ".lg-lessons button",
        "Hooks": ".lg-hooks",
        "Quiz": ".lg-quiz-choices button",
        "Gradients": ".lg-maps[data-layer=conv1]",
    }
    for view, shown in views.items():
        page.locator("[data-part=view]").get_by_text(view, exact=True).click()
        expect(page.locator(shown).first).to_be_visible()
    expect(page.locator(".lg-attribution")).to_be_visible()
    expect_calm(page)
    assert line.heard == said
    line.release()
    settle(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(maps_of_gradients).to_be_visible()


def test_an_edit_right_after_a_flip_goes_to_the_layer_on_screen(page: Page, server: str) -> None:
    """We flip from conv1 to relu1, and remove a channel; neither waits for the page's script."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    click_tile(page, 3)
    settle(page)
    line.held, said = True, line.heard
    press(page, "ArrowRight")
    maps(page, "relu1").wait_for()
    press(page, "x")
    expect(page.locator(".lg-edits")).to_contain_text("relu1: channel")
    expect(maps(page, "relu1")).to_be_visible()
    page.wait_for_url("**layer=relu1**edit=**")
    assert line.heard == said
    line.release()
    settle(page)
    expect(maps(page, "relu1")).to_be_visible()
    expect_address(page, layer="relu1")


def test_of_several_edits_in_quick_succession_none_is_lost(page: Page, server: str) -> None:
    """We remove three channels faster than a script can run, and then flip."""
    visit(page, server, model="lenet", layer="conv1")
    click_tile(page, 1)
    settle(page)
    for _ in range(3):
        press(page, "x", "ArrowDown")
    press(page, "ArrowRight")
    expect(page.locator(".lg-edits")).to_contain_text("conv1: channels 1–3 removed")
    expect(maps(page, "relu1")).to_be_visible()
    page.wait_for_url(
        "**layer=relu1&edit=conv1%3Azero%3A1-3"
    )  # an edit waits for its maps, so it may come after the flip


@pytest.mark.parametrize(("box", "option"), [("colormap", "hot"), ("sample", "A cup of coffee")])
def test_a_flip_is_not_undone_by_another_box(page: Page, server: str, box: str, option: str) -> None:
    """We flip and choose something else while the script's messages are held back."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    line.held, said = True, line.heard
    press(page, "ArrowRight")
    pick(page, box, option)
    if box == "sample":  # the script draws another picture; its answer waits
        line.wait_for(page, said + 1)
        line.wait_for_answer(page)
    expect(page.locator("[data-part=layer]")).to_have_value("relu1")
    line.release()
    page.wait_for_url(lambda url: "layer=relu1" in url and ("hot" in url or "coffee" in url))
    settle(page)
    expect(maps(page, "relu1")).to_be_visible()
    assert chosen(page, "layer") == "relu1"
    expect_address(page, layer="relu1")


def test_a_flip_while_another_picture_is_on_its_way_is_kept(page: Page, server: str) -> None:
    """The script's answer knows nothing of the flip."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    before = drawing(page)
    line.held, said = True, line.heard
    pick(page, "sample", "A cup of coffee")
    line.wait_for(page, said + 1)
    line.wait_for_answer(page)
    press(page, "ArrowRight", "ArrowRight")
    maps(page, "pool1").wait_for()
    line.release()
    expect_another_picture(page, before)
    expect(maps(page, "pool1")).to_be_visible()
    assert {"layer": "pool1", "sample": "coffee"}.items() <= address(page).items()


def test_the_layer_of_before_can_be_chosen_right_after_a_flip(page: Page, server: str) -> None:
    """The box follows the flip at once, so that it can be taken back there."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    line.held, said = True, line.heard
    press(page, "ArrowRight")
    pick(page, "layer", "conv1")
    expect(maps(page, "conv1")).to_be_visible()
    expect(page.locator("[data-part=layer]")).to_have_value("conv1")
    page.wait_for_url("**layer=conv1**")
    assert line.heard == said
    line.release()
    settle(page)
    expect(maps(page, "conv1")).to_be_visible()


def test_two_edits_undone_in_quick_succession_are_the_two_that_were_meant(page: Page, server: str) -> None:
    """The first edit is gone at the second click, but the list still waits for its new words."""
    visit(page, server, model="lenet", layer="conv1", edit="conv1:zero:1;relu1:scale:2:0.5;conv2:zero:3")
    undo = page.locator(".lg-undo")
    expect(undo).to_have_count(3)
    held = HeldRequests(page, re.compile(r"/edits\.json\?"))
    undo.nth(0).click()
    page.wait_for_url(lambda url: "conv1%3Azero" not in url)
    undo.nth(1).click()
    page.wait_for_url(lambda url: "relu1%3Ascale" not in url)
    held.wait_for()
    held.release()
    expect(undo).to_have_count(1)
    expect(page.locator(".lg-edits")).to_contain_text("conv2: channel 3 removed")
    settle(page)
    expect_address(page, edit="conv2:zero:3")


@pytest.mark.parametrize("view", ["Compare", "Hooks"])
def test_a_flip_goes_along_into_another_view_that_is_opened_at_once(
    page: Page, server: str, view: str
) -> None:
    """We open the view before the viewer has told the page about the flip; the viewer ends with that."""
    visit(page, server, model="lenet", layer="conv1")
    press(page, "ArrowRight")
    page.locator("[data-part=view]").get_by_text(view).click()
    page.wait_for_url(f"**view={view.lower()}**")
    expect(page.locator("[data-part=layer]").first).to_have_value("relu1")
    settle(page)
    expect_address(page, layer="relu1")


def test_keys_of_a_view_that_was_just_left_do_no_harm(page: Page, server: str) -> None:
    """We press the key that flips right after we have opened the view of hooks."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    line.held, said = True, line.heard
    page.locator("[data-part=view]").get_by_text("Hooks").click()
    page.evaluate("document.activeElement.blur()")  # from the button, the arrow would go to the next view
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lg-hooks")).to_be_visible()
    assert line.heard == said
    line.release()
    settle(page)
    expect(page.locator("[data-part=layer]")).to_have_value(address(page)["layer"])
    expect_calm(page)
