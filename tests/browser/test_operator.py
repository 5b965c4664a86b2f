"""The operator's page in a real browser: it draws what the server says, and goes on after a restart."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.serving import serving
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import until
from tests.hostile.visitor import Visitor, ask
from tests.machine import patience

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CHARTS = ("waits", "queue", "answers", "memory", "sessions", "trouble")
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that no other test has asked anything: the charts draw what is asked for most."""
    with serving(tmp_path_factory.mktemp("operated")) as address:
        yield address


@pytest.fixture
def operator(visitor: Callable[..., Page], server: str) -> Page:
    """The page of whoever runs the server; nothing may be blocked, missing or fail."""
    page = visitor(viewport={"width": 1366, "height": 900})
    page.goto(f"{server}/operator")
    return page


def expect_well(page: Page) -> None:
    """Wait until the server does well: it remembers for half a minute what has been slow."""
    limit = 1000 * (30 + patience(60))
    expect(page.locator("#state")).to_have_attribute("data-kind", "well", timeout=limit)


def test_it_draws_what_visitors_just_did(operator: Page, server: str) -> None:
    """A visitor's page, and answers by their kind; the browser reports nothing that it had to block."""
    failures: list[str] = []
    operator.on("console", lambda line: failures.append(line.text) if line.type == "error" else None)
    operator.on("pageerror", lambda error: failures.append(str(error)))
    with Visitor(server, model="lenet") as visitor:
        for layer in ("conv1", "relu1", "conv2"):
            assert ask(server, f"/maps/{visitor.subject}/layer.json?layer={layer}").status == 200
        expect(operator.locator("[data-tile=sessions] b")).not_to_have_text(re.compile("^[0–]$"))
        expect(operator.locator("[data-chart=answers] li", has_text="View")).to_be_visible()
    expect_well(operator)
    expect(operator.locator("#engine")).to_have_text(re.compile(r"^\w+Engine, up \d+ min$"))
    for chart in CHARTS:
        drawn = operator.locator(f"[data-chart={chart}] svg")
        expect(drawn.locator("path.line").first).to_have_attribute("d", re.compile("^M"))
        assert ":" in str(drawn.get_attribute("aria-label"))
    for kept in ("models", "values", "answers", "uploads"):
        expect(
            operator.locator("#caches tr", has=operator.get_by_text(kept, exact=True)).first
        ).to_be_visible()
    assert failures == []


@EVERY_TYPEFACE
def test_the_charts_fit_a_phone_and_follow_the_rules(operator: Page) -> None:
    """Nothing is cut off at the side; axe-core finds nothing against WCAG, light or dark."""
    expect(operator.locator("[data-chart=memory] li").first).to_be_visible()
    for scheme in ("light", "dark"):
        operator.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = Axe().run(operator, options=RULES).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == []
    operator.set_viewport_size({"width": 360, "height": 740})
    until(operator, "document.documentElement.scrollWidth <= 360")
    until(operator, "[...document.querySelectorAll('section')].every((e) => e.scrollWidth <= e.clientWidth)")


def test_more_minutes_are_a_click_away(operator: Page) -> None:
    """The line gets narrower, by the factor that the time gets longer."""
    expect(operator.locator("[data-chart=memory] li").first).to_be_visible()
    operator.get_by_role("button", name="15 min").click()
    expect(operator.get_by_role("button", name="15 min")).to_have_attribute("aria-pressed", "true")
    expect(operator.locator("[data-chart=queue] text", has_text="−15 min")).to_be_visible()
    expect(operator.locator("[data-chart=queue] text", has_text="−1 min")).to_have_count(0)


def test_it_says_when_the_server_is_gone(visitor: Callable[..., Page], tmp_path: Path) -> None:
    """The charts stay as they were drawn, and the page says that they are old."""
    with serving(tmp_path) as address:
        page = visitor()
        page.goto(f"{address}/operator")
        expect_well(page)
    expect(page.locator("#state")).to_have_attribute("data-kind", "gone")
    expect(page.locator("[data-chart=memory] path.line").first).to_have_attribute("d", re.compile("^M"))
