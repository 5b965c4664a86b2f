"""Gains of an attacker who can write into the page: nothing runs, and nothing is sent elsewhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.browser.chromium import ADVICE, find
from tests.browser.serving import free_port, serving
from tests.machine import patience
from viz.request.views import VIEWS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Text is evaluated later, because the browser's driver may evaluate text itself while it runs.
# Each sets a property of the window that the test reads; all of them ran before the policy named its scripts.
WRITTEN_IN = """() => {
  window.ran = [];
  const script = document.createElement('script');
  script.textContent = 'window.ran.push("inline")';
  document.body.append(script);
  const image = document.createElement('img');
  image.setAttribute('onclick', 'window.ran.push("handler")');
  document.body.append(image);
  image.click();
  return new Promise((resolve) => setTimeout(() => {
    try { (0, eval)('window.ran.push("eval")'); } catch {}
    try { Function('window.ran.push("function")')(); } catch {}
    resolve(window.ran);
  }, 100));
}"""
REACHED = """address => new Promise((resolve) => {
  document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
  const socket = new WebSocket(address);
  socket.onerror = () => setTimeout(() => resolve("reached for it"), 1000);
})"""


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """The real page's visitor, in a Chromium of its own."""
    path = find()
    if path is None:
        pytest.fail(ADVICE)
    home: Path = tmp_path_factory.mktemp("page")
    with serving(home) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport={"width": 1366, "height": 768}, base_url=address)
        context.set_default_timeout(1000 * patience(60))
        yield context
        browser.close()


@pytest.fixture(scope="module")
def page(context: BrowserContext) -> Page:
    """A tab for what an attacker does."""
    return context.new_page()


@pytest.fixture(scope="module")
def reported(context: BrowserContext) -> dict[str, list[str]]:
    """All that the browser reports about each view, which has a tab of its own."""
    found: dict[str, list[str]] = {view: [] for view in VIEWS}
    pages = {view: context.new_page() for view in VIEWS}
    for view, said in found.items():
        page = pages[view]
        page.on("console", lambda line, said=said: said.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.goto(f"/?model=lenet&view={view}")
        expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible(
            timeout=1000 * patience(45)
        )
    page.wait_for_timeout(1500)  # the browser's own parts start after the script has run
    for each in pages.values():
        each.close()
    return found


@pytest.mark.parametrize("view", VIEWS)
def test_no_view_needs_more_than_the_policy_allows(reported: dict[str, list[str]], view: str) -> None:
    """The browser reports nothing that it had to block, and no script fails."""
    assert reported[view] == []


def test_what_is_written_into_the_page_does_not_run(page: Page) -> None:
    """A script, a handler, and text that is evaluated."""
    page.goto("/?model=lenet")
    page.locator("[data-part=viewer] img").first.wait_for()
    assert page.evaluate(WRITTEN_IN) == []


def test_a_socket_to_elsewhere_is_blocked_before_it_is_opened(page: Page) -> None:
    """Another port of the same machine counts as elsewhere."""
    page.goto("/?model=lenet")
    page.locator("[data-part=viewer] img").first.wait_for()
    assert page.evaluate(REACHED, f"ws://127.0.0.1:{free_port()}/") == "connect-src"
