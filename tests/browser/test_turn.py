"""A long wait says how many others go before; a short one says nothing."""

import threading
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.serving import serving
from tests.browser.steps import maps, visit
from tests.browser.waiting import wait_until
from tests.hostile.visitor import Visitor, ask
from tests.machine import patience

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def only_what_is_asked_for(route: Route) -> None:
    """Let nothing through that the page fetches ahead: a layer that is there already waits for nobody."""
    if "x-layerglass-prefetch" in route.request.headers:
        route.abort()
    else:
        route.fallback()


def test_who_waits_for_another_visitor_reads_how_many_go_before(page: Page, tmp_path: Path) -> None:
    """Until the maps are there. The other visitor looks at another picture in the same model."""
    settings = {
        "LAYERGLASS_MODEL": "tests.browser.slow_net:slow_net",
        "SLOW_SECONDS": str(patience(2.0)),  # longer than it takes the page to ask how many go before
    }
    with serving(tmp_path, settings=settings) as server:
        page.route("**/maps/**", only_what_is_asked_for)
        visit(page, server, model="slow_net", layer="1", sample="cat")
        turn = page.locator(".lg-turn")
        expect(turn).to_be_empty()
        with Visitor(server, model="slow_net", sample="coffee", layer="1") as other:
            address = f"/maps/{other.subject}/layer.json?layer=3&edit=1:scale:all:"
            askers = [
                threading.Thread(target=ask, args=(server, f"{address}{factor}")) for factor in (0.5, 2.0)
            ]
            for asker in askers:
                asker.start()
            wait_until(
                page, lambda: ask(server, f"/maps/{other.subject}/place.json").said["ahead"] is not None
            )
            page.locator("[data-part=tree] [role=treeitem]").filter(has_text="Conv2d").last.click()
            expect(turn).to_have_text("1 before you")
            maps(page, "3").wait_for()
            expect(turn).to_be_empty()
            for asker in askers:
                asker.join()
