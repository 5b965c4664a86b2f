"""The real page in a real Chromium: one server and one browser for all tests, a fresh visitor for each."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import ADVICE, find
from tests.browser.evidence import Witness, collect
from tests.browser.serving import ROOT, serving
from tests.browser.waiting import PATIENCE
from tests.machine import patience

QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
SCREEN = {"width": 1366, "height": 768}
WITNESSES = pytest.StashKey[list[Witness]]()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all browser tests; whatever they do to it, it writes no traceback."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """A real Chromium; it closes after the last of these tests: its event loop would disturb others."""
    path = find()
    if path is None:
        pytest.fail(ADVICE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*QUIET, *FAKE_CAMERA])
        yield browser
        browser.close()


@pytest.fixture
def visitor(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Makes the page of one more visitor, at the size of a small laptop; no script on it may fail."""
    witnesses = request.node.stash[WITNESSES] = []
    limit = 1000 * patience(PATIENCE)
    expect.set_options(timeout=limit)

    def arrives(**options: Any) -> Page:
        context = chromium.new_context(**{"viewport": SCREEN, **options})
        context.set_default_timeout(limit)
        witnesses.append(Witness(context.new_page()))
        return witnesses[-1].page

    yield arrives
    for witness in witnesses:
        witness.page.context.close()
    assert not [error for witness in witnesses for error in witness.errors]


@pytest.fixture
def page(visitor: Callable[..., Page]) -> Page:
    """A fresh visitor's page."""
    return visitor()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Keep what explains a failure, and name the folder."""
    report = yield
    if report.failed and call.when != "teardown":
        folder = collect(item.nodeid, getattr(item, "execution_count", 1), item.stash.get(WITNESSES, []))
        report.sections.append(("Evidence", str(folder.relative_to(ROOT))))
    return report
