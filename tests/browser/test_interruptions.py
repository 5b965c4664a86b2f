"""Two tabs, a lost connection, a laptop that slept: the look stays, and the next choice works."""

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.pictures import photo, png
from tests.browser.steps import (
    arrive,
    choose,
    drawing,
    expect_address,
    expect_another_picture,
    expect_calm,
    maps,
    settle,
    subject,
    upload,
    visit,
)
from tests.browser.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CONNECTED = "[data-test-connection-state=CONNECTED]"


class Line:
    """The page's websockets, which can be cut like a cable, and joined again."""

    def __init__(self, page: Page) -> None:
        """Stand between page and server from the first websocket on."""
        self.is_cut, self._open = False, list[WebSocketRoute]()
        page.route_web_socket("**/_stcore/stream", self._opened)

    async def _opened(self, websocket: WebSocketRoute) -> None:
        if self.is_cut:  # its own ``close`` waits for the loop that calls this, in Playwright 1.64 for ever
            await websocket._impl_obj.close()
            return
        websocket.connect_to_server()
        self._open.append(websocket)

    @property
    def is_open(self) -> bool:
        """Return whether a websocket has been let through since the last cut."""
        return bool(self._open)

    def cut(self) -> None:
        """End what is open, and let nothing through."""
        self.is_cut = True
        while self._open:
            self._open.pop().close()


def test_two_tabs_of_one_visitor_look_at_different_things(page: Page, server: str) -> None:
    """A layer that is chosen in one tab, or a step undone, changes nothing in the other."""
    one, other = page, page.context.new_page()
    visit(one, server, model="lenet", layer="conv1")
    visit(other, server, model="lenet", layer="conv2")
    choose(one, "layer", "relu1")
    maps(one, "relu1").wait_for()
    choose(other, "layer", "pool2")
    maps(other, "pool2").wait_for()
    one.keyboard.press("Control+z")
    maps(one, "conv1").wait_for()
    settle(other)
    expect(other.locator("[data-part=layer]")).to_have_value("pool2")
    other.wait_for_url("**layer=pool2**")
    for tab in (one, other):
        expect_calm(tab)


def test_layers_can_be_chosen_while_the_websocket_is_down(page: Page, server: str) -> None:
    """Looking needs no websocket; once it is there again, so is Python."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    line.cut()
    expect(page.locator(CONNECTED)).to_have_count(0)
    for layer in ("relu1", "conv2"):
        page.locator(f'[data-part=tree] li[data-name="{layer}"] > .lg-line').click()
        maps(page, layer).wait_for()
    page.locator("[data-part=view] [data-value=hooks]").click()
    page.locator('.lg-event-maps img[data-layer="conv2"]').wait_for()
    page.locator("[data-part=view] [data-value=layer]").click()
    line.is_cut = False
    page.locator(CONNECTED).wait_for()
    before = drawing(page)
    upload(page, "own.png", png(photo(31, (64, 64))))
    expect_another_picture(page, before)
    maps(page, "conv2").wait_for()
    expect_calm(page)


def test_a_picture_gone_back_to_while_the_websocket_is_down_comes_later(page: Page, server: str) -> None:
    """Streamlit drops what is sent without a connection; the address names the picture all the while."""
    line = Line(page)
    visit(page, server, model="lenet", layer="conv1")
    before = subject(page)
    choose(page, "sample", "A cup of coffee")
    expect_another_picture(page, before)
    after = subject(page)
    line.cut()
    expect(page.locator(CONNECTED)).to_have_count(0)
    page.go_back()
    expect_address(page, sample="cat")
    line.is_cut = False
    expect_another_picture(page, after)
    assert subject(page) == before
    expect_address(page, sample="cat")
    expect_calm(page)


def test_a_laptop_that_slept_goes_on_where_it_was(page: Page, server: str) -> None:
    """The browser freezes the page, and the connection ends meanwhile; the picture is the visitor's own."""
    line = Line(page)
    arrive(page, server, model="lenet", layer="conv1")
    before = drawing(page)
    upload(page, "own.png", png(photo(32, (64, 64))))
    expect_another_picture(page, before)
    choose(page, "layer", "conv2")
    maps(page, "conv2").wait_for()
    own = drawing(page)
    power = page.context.new_cdp_session(page)
    power.send("Page.setWebLifecycleState", {"state": "frozen"})
    line.cut()
    page.wait_for_timeout(3_000)
    line.is_cut = False
    power.send("Page.setWebLifecycleState", {"state": "active"})
    wait_until(page, lambda: line.is_open)  # until then it says what it said when it froze
    page.locator(CONNECTED).wait_for()
    choose(page, "layer", "relu2")
    maps(page, "relu2").wait_for()
    assert drawing(page) == own
    expect_calm(page)
