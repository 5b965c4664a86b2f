"""The real page in a real browser: one server for all tests, a browser for each typeface, fresh visitors."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.asking_steps import Class, class_of_three
from tests.browser.engine import FIREFOX, launched, possible
from tests.browser.evidence import Witness, collect
from tests.browser.going import go_to, of_subject
from tests.browser.serving import ROOT, serving
from tests.browser.steps import address
from tests.browser.typefaces import AS_IT_IS, Reader, environment
from tests.browser.waiting import PATIENCE, looking_often
from tests.machine import patience

SCREEN = {"width": 1366, "height": 768}
WITNESSES = pytest.StashKey[list[list[Witness]]]()
FAILED = pytest.StashKey[bool]()
AS_FOUND = """async () => {
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    document.activeElement?.blur();
    const sidebar = document.querySelector("[data-testid=stSidebar][data-collapsed=false]");
    if (innerWidth <= 640) sidebar?.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
    localStorage.clear();
    sessionStorage.clear();
    performance.clearResourceTimings();
    const { modules } = await import(`${layerglassRoot}bundle.js`);
    const { page } = modules["stage/page.js"], { store } = page, now = performance.now();
    store.atModel ??= store.at;
    store.at = (model) => store.atModel(`${model} since ${now}`);
    store.at(page.data.model); // what tests before have chosen at a layer is another model's
}"""


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all browser tests; whatever they do to it, it writes no traceback."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture(scope="package")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, int], Browser]]:
    """A browser for each typeface; they close after the last of these tests: their loop disturbs others."""
    folder = tmp_path_factory.mktemp("fonts")
    with sync_playwright() as playwright, looking_often():
        yield cache(lambda typeface, size: launched(playwright, environment(typeface, folder), size))


@pytest.fixture
def reader(request: pytest.FixtureRequest) -> Reader:
    """Return the visitor's fonts: the machine's own, if a test does not choose others."""
    return getattr(request, "param", AS_IT_IS)


@pytest.fixture
def engine(
    browsers: Callable[[str, int], Browser], reader: Reader, request: pytest.FixtureRequest
) -> Browser:
    """A real browser with the reader's fonts."""
    if FIREFOX and (only := request.node.get_closest_marker("chromium")):
        pytest.skip(f"Firefox's driver has no {only.args[0]}")
    try:
        return browsers(reader.typeface, reader.size if FIREFOX else 100)
    except (LookupError, FileNotFoundError) as lacking:
        pytest.fail(str(lacking))


@pytest.fixture
def evidence(request: pytest.FixtureRequest) -> list[list[Witness]]:
    """The witnesses of the test that runs, those of each visitor together."""
    request.node.stash[FAILED] = False
    found: list[list[Witness]] = []
    request.node.stash[WITNESSES] = found
    return found


@pytest.fixture
def visitor(engine: Browser, reader: Reader, evidence: list[list[Witness]]) -> Iterator[Callable[..., Page]]:
    """Makes the page of one more visitor, at the size of a small laptop; no script on it may fail."""
    witnesses: list[Witness] = []
    evidence.append(witnesses)

    def arrives(**options: Any) -> Page:
        return newcomer(engine, reader, witnesses, options)

    yield arrives
    for context in {witness.page.context for witness in witnesses}:
        context.close()
    assert not [error for witness in witnesses for error in witness.errors]


def newcomer(engine: Browser, reader: Reader, witnesses: list[Witness], options: dict[str, Any]) -> Page:
    """The page of a visitor who has never been here; what happens on each of their tabs is witnessed."""
    limit = 1000 * patience(PATIENCE)
    expect.set_options(timeout=limit)
    context = engine.new_context(**{"viewport": SCREEN, **possible(options)})
    context.set_default_timeout(limit)
    context.on("page", lambda page: witnesses.append(Witness(page)))  # each tab, whoever opens it
    page = context.new_page()
    if not FIREFOX:
        reader.sets_up(page)
    return page


@pytest.fixture(scope="module")
def staying() -> Iterator[dict[str, list[Witness]]]:
    """The pages that the tests of a module share, by their readers and options; no script on one may fail.

    What fails between two tests is said at the end: the next test is not to blame.
    """
    kept: dict[str, list[Witness]] = {}
    yield kept
    for witnesses in kept.values():
        witnesses[0].page.context.close()
    assert not [error for all_of in kept.values() for each in all_of for error in each.late + each.errors]


@pytest.fixture
def looker(
    engine: Browser,
    reader: Reader,
    staying: dict[str, list[Witness]],
    evidence: list[list[Witness]],
    request: pytest.FixtureRequest,
) -> Iterator[Callable[..., Page]]:
    """Gives a page on which tests before may have looked around, for a test that does no more either.

    Such a test goes to what it looks at by ``go``. It chooses and stores nothing that the address does not
    say. A page on which a test fails, or that a test closes, is not used again. Who needs several at once
    gives each a seat.
    """
    used: set[str] = set()

    def comes(seat: str = "", **others: Any) -> Page:
        options = {"viewport": SCREEN, **others}
        key = f"{reader} {seat} {sorted(options.items())}"
        used.add(key)
        if key in staying and staying[key][0].page.is_closed():
            del staying[key]
        evidence.append(witnesses := staying.setdefault(key, []))
        if witnesses:
            return returned(witnesses, options["viewport"])
        return newcomer(engine, reader, witnesses, options)

    yield comes
    for witness in chain.from_iterable(staying[key] for key in used):
        witness.catch_up()
    errors = [error for key in used for witness in staying[key] for error in witness.errors]
    for key in used if errors or request.node.stash[FAILED] else ():
        staying.pop(key)[0].page.context.close()
    assert not errors


@pytest.fixture
def taught(looker: Callable[..., Page], server: str) -> Iterator[Class]:
    """A class that looks at the first layer."""
    with class_of_three(looker, server) as found:
        yield found


def returned(witnesses: list[Witness], viewport: Any) -> Page:
    """A page that stays, as a test finds it: nothing stored, and what it looks at drawn anew."""
    page = witnesses[0].page
    for witness in witnesses:
        witness.forget()
    page.set_viewport_size(viewport)
    page.mouse.move(0, 0)
    page.evaluate(AS_FOUND)
    there = address(page)
    go_to(page, of_subject(there) | {"view": "layers" if there.get("view") == "course" else "course"})
    return page


@pytest.fixture
def page(visitor: Callable[..., Page], looker: Callable[..., Page], request: pytest.FixtureRequest) -> Page:
    """A fresh visitor's page; where tests only look, the one that those before have looked at."""
    return (looker if request.node.get_closest_marker("looks") else visitor)()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Keep what explains a failure, and name the folder."""
    report = yield
    if report.failed and not item.stash.get(FAILED, False):  # what fails first explains the rest
        item.stash[FAILED] = True
        witnesses = list(chain.from_iterable(item.stash.get(WITNESSES, [])))
        folder = collect(item.nodeid, getattr(item, "execution_count", 1), witnesses)
        (folder / "failure.txt").write_text(report.longreprtext, encoding="utf-8")
        report.sections.append(("Evidence", str(folder.relative_to(ROOT))))
    return report
