"""The real page in a real Chromium: one server for all tests, a browser for each typeface, fresh visitors."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import ADVICE, find
from tests.browser.evidence import Witness, collect
from tests.browser.serving import ROOT, serving
from tests.browser.typefaces import AS_IT_IS, Reader, environment
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
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Browser]]:
    """A Chromium for each typeface; they close after the last of these tests: their loop disturbs others."""
    path, folder = find(), tmp_path_factory.mktemp("fonts")
    if path is None:
        pytest.fail(ADVICE)
    with sync_playwright() as playwright:

        @cache
        def launched(typeface: str) -> Browser:
            fonts = os.environ | environment(typeface, folder)
            return playwright.chromium.launch(executable_path=path, args=[*QUIET, *FAKE_CAMERA], env=fonts)

        yield launched


@pytest.fixture
def reader(request: pytest.FixtureRequest) -> Reader:
    """What a visitor reads with: the machine's own fonts, if a test does not say others."""
    return getattr(request, "param", AS_IT_IS)


@pytest.fixture
def chromium(browsers: Callable[[str], Browser], reader: Reader) -> Browser:
    """A real Chromium with the reader's fonts."""
    try:
        return browsers(reader.typeface)
    except LookupError as lacking:
        pytest.fail(str(lacking))


@pytest.fixture
def visitor(
    chromium: Browser, reader: Reader, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Page]]:
    """Makes the page of one more visitor, at the size of a small laptop; no script on it may fail."""
    witnesses = request.node.stash[WITNESSES] = []
    limit = 1000 * patience(PATIENCE)
    expect.set_options(timeout=limit)

    def arrives(**options: Any) -> Page:
        context = chromium.new_context(**{"viewport": SCREEN, **options})
        context.set_default_timeout(limit)
        context.on("page", lambda page: witnesses.append(Witness(page)))  # each tab, whoever opens it
        page = context.new_page()
        reader.sets_up(page)
        return page

    yield arrives
    for context in {witness.page.context for witness in witnesses}:
        context.close()
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
        (folder / "failure.txt").write_text(report.longreprtext, encoding="utf-8")
        report.sections.append(("Evidence", str(folder.relative_to(ROOT))))
    return report
