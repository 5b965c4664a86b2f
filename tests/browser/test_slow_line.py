"""A page with a slow server: what the visitor does while it waits is neither lost nor undone."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.steps import (
    address,
    arrive,
    chosen,
    click_tile,
    expect_calm,
    maps,
    pick,
    press,
    settle,
    visit,
)

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

    def wait_for(self, page: Page, count: int) -> None:
        """Wait until the page has sent this many messages to the server since the line was made."""
        for _ in range(200):
            if self.heard >= count:
                return
            page.wait_for_timeout(50)
        pytest.fail(f"the page said {self.heard} things to the server, not {count}")

    def wait_for_runs(self, page: Page, count: int) -> None:
        """Wait until the server has finished this many runs whose answers are held back."""
        for _ in range(400):
            kinds = [ForwardMsg.FromString(message).WhichOneof("type") for message in self.waiting]
            if kinds.count("script_finished") >= count:
                return
            page.wait_for_timeout(50)
        pytest.fail(f"the server came to the end of {kinds.count('script_finished')} runs, not {count}")


def test_who_comes_back_to_a_view_before_the_answers_about_others_arrive_finds_it_whole(
    page: Page, server: str
) -> None:
    """The server only refers to what the browser has already received, so the browser must have kept it."""
    line = Line(page)
    arrive(page, server, model="lenet", layer="conv1", view="gradients")
    maps_of_gradients = page.locator(".lg-maps[data-layer=conv1]")
    maps_of_gradients.wait_for()
    settle(page)
    line.held = True
    for run, view in enumerate(("All layers", "Course", "Hooks", "Quiz", "Gradients"), 1):
        page.locator(".st-key-view_row").get_by_text(view, exact=True).click()
        line.wait_for_runs(page, run)
    line.release()
    settle(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    maps_of_gradients.wait_for()
    expect(page.locator(".lg-attribution")).to_be_visible()
    expect_calm(page)


def test_an_edit_while_the_layer_box_lags_behind_stays_on_its_layer(page: Page, server: str) -> None:
    """We flip from conv1 to relu1, and remove a channel before the page's own boxes have followed."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    click_tile(page, 3)
    settle(page)
    line.held, said = True, line.heard
    press(page, "ArrowRight")
    maps(page, "relu1").wait_for()
    line.wait_for(page, said + 1)
    press(page, "x")
    line.wait_for(page, said + 2)
    page.wait_for_timeout(1500)  # the line holds the server's answers to both
    line.release()
    expect(page.locator(".lg-edits")).to_contain_text("relu1: channel")
    settle(page)
    expect(maps(page, "relu1")).to_be_visible()
    assert address(page)["layer"] == "relu1"


def test_of_several_edits_in_quick_succession_none_is_lost(page: Page, server: str) -> None:
    """We remove three channels faster than a script can run, and then flip."""
    visit(page, server, model="lenet", layer="conv1")
    click_tile(page, 1)
    settle(page)
    for _ in range(3):
        press(page, "x", "ArrowDown")
    press(page, "ArrowRight")
    expect(page.locator(".lg-edits")).to_contain_text("conv1: channels 1–3 removed")
    page.wait_for_url("**layer=relu1**")
    expect(maps(page, "relu1")).to_be_visible()
    assert address(page)["edit"] == "conv1:zero:1-3"


def flip_and_act(page: Page, line: Line, act: Callable[[], None]) -> None:
    """Flip to the next layer, and act before the page's own boxes have followed."""
    line.held, said = True, line.heard
    press(page, "ArrowRight")
    line.wait_for(page, said + 1)
    page.wait_for_timeout(1000)  # the server has answered
    act()
    line.wait_for(page, said + 2)
    page.wait_for_timeout(1500)  # time to answer this as well
    line.release()


@pytest.mark.parametrize(("box", "option"), [("colormap", "hot"), ("sample", "A cup of coffee")])
def test_a_flip_is_not_undone_by_another_box_while_the_layer_box_lags_behind(
    page: Page, server: str, box: str, option: str
) -> None:
    """The other box's message still names the old layer."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    flip_and_act(page, line, lambda: pick(page, box, option))
    page.wait_for_url(lambda url: "layer=relu1" in url and ("hot" in url or "coffee" in url))
    settle(page)
    expect(maps(page, "relu1")).to_be_visible()
    assert chosen(page, "layer") == "relu1"
    assert address(page)["layer"] == "relu1"


def test_the_layer_of_before_can_be_chosen_while_its_box_still_shows_it(page: Page, server: str) -> None:
    """The box sends nothing because it already shows that layer, so the viewer tells the page instead."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    flip_and_act(page, line, lambda: pick(page, "layer", "conv1"))
    page.wait_for_url("**layer=conv1**")
    settle(page)
    expect(maps(page, "conv1")).to_be_visible()
    expect(page.locator(".st-key-layer input").first).to_have_value("conv1")


def test_two_edits_undone_in_quick_succession_are_the_two_that_were_meant(page: Page, server: str) -> None:
    """When the second click comes, the server has already removed the first edit from its list."""
    line = Line(page)
    edits = "conv1:zero:1;relu1:scale:2:0.5;conv2:zero:3"
    visit(page, server, model="lenet", layer="conv1", edit=edits)
    line.held, said = True, line.heard
    undo = page.locator(".lg-undo")
    undo.nth(0).click()
    line.wait_for(page, said + 1)
    page.wait_for_timeout(1500)  # the server has answered
    undo.nth(1).click()
    line.wait_for(page, said + 2)
    page.wait_for_timeout(1500)
    line.release()
    expect(undo).to_have_count(1)
    expect(page.locator(".lg-edits")).to_contain_text("conv2: channel 3 removed")
    settle(page)
    assert address(page)["edit"] == "conv2:zero:3"


@pytest.mark.parametrize("view", ["Compare", "Hooks"])
def test_a_flip_goes_along_into_another_view_that_is_opened_at_once(
    page: Page, server: str, view: str
) -> None:
    """We open the view before the viewer has told the page about the flip; the viewer ends with that."""
    visit(page, server, model="lenet", layer="conv1")
    press(page, "ArrowRight")
    page.locator(".st-key-view").get_by_text(view).click()
    page.wait_for_url(f"**view={view.lower()}**")
    expect(page.locator(".st-key-layer input").first).to_have_value("relu1")
    settle(page)
    assert address(page)["layer"] == "relu1"


def test_what_a_viewer_tells_that_the_page_has_no_longer_does_no_harm(page: Page, server: str) -> None:
    """We flip when the server has already switched to the view of hooks."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    line.held, said = True, line.heard
    page.locator(".st-key-view").get_by_text("Hooks").click()
    line.wait_for(page, said + 1)
    page.wait_for_timeout(3000)  # the server has answered
    press(page, "ArrowRight")
    line.wait_for(page, said + 2)
    page.wait_for_timeout(1500)
    line.release()
    expect(page.locator(".lg-hooks")).to_be_visible()
    settle(page)
    expect(page.locator(".st-key-layer input").first).to_have_value(address(page)["layer"])
    expect_calm(page)
