"""The first visit: something to see at once, few and small files until the maps, and the rest after them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from streamlit import file_util

from tests.browser.steps import expect_calm, first_visit, maps, settle
from tests.browser.test_exemplars import wait_until
from viz.ui.wire.shell_packs import pack_texts, packs

pytestmark = pytest.mark.browser

# What was asked for before the maps stood, and its bytes.
ASKED_BEFORE = """() => performance.getEntriesByType("resource")
    .filter(({ startTime }) => startTime < performance.getEntriesByName("layerglass:stands")[0].startTime)
    .map(({ name, transferSize }) => [name, transferSize])"""


def test_something_is_to_be_seen_before_any_script_and_goes_with_the_maps(page: Page, server: str) -> None:
    """The scripts are held back; the name and the first picture are there nevertheless."""
    held: list[Route] = []
    page.route("**/static/shell-*", lambda route, _: held.append(route))
    page.goto(server, wait_until="commit")
    skeleton = page.locator(".lg-skeleton")
    expect(skeleton).to_be_visible()
    expect(skeleton).to_contain_text("Layerglass")
    assert skeleton.locator("img").evaluate(
        "async (image) => { await image.decode(); return image.naturalWidth; }"
    )
    held[0].continue_()
    page.unroute("**/static/shell-*")
    maps(page).wait_for()
    expect(skeleton).to_have_count(0)
    settle(page)
    expect_calm(page)


def test_something_is_to_be_seen_where_there_are_no_maps(page: Page, server: str) -> None:
    """Neither the quiz nor a layer that never ran leaves the page behind its frame."""
    for address in ("?model=photonet&view=quiz", "?model=nothing", "?model=photonet&view=compare"):
        page.goto(f"{server}/{address}")
        expect(page.locator("[data-part=view]")).to_be_visible()
        expect(page.locator(".lg-skeleton")).to_have_count(0)


@pytest.mark.parametrize(("language", "sentence"), [("en-GB", "waits for it"), ("zh-CN", "自动继续")])
def test_a_line_that_fails_at_arrival_is_said_in_our_words(
    visitor: Callable[..., Page], server: str, language: str, sentence: str
) -> None:
    """Streamlit speaks to a page's author after some tries; the page comes by itself."""
    page, tries = visitor(locale=language), list[str]()

    def in_vain(route: Route) -> None:
        tries.append(route.request.url)
        route.abort()

    page.route("**/_stcore/health", in_vain)
    page.goto(server)
    expect(page.locator(".lg-away")).to_contain_text(sentence)
    wait_until(page, lambda: len(tries) > 7)  # Streamlit opens its dialog after six
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".lg-skeleton")).to_be_visible()
    expect(page.get_by_text("Streamlit")).to_have_count(0)
    page.unroute("**/_stcore/health")
    maps(page).wait_for()
    expect(page.locator("html[data-away]")).to_have_count(0)


def test_the_first_maps_need_few_requests_and_no_font(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    """A quarter of the 110 requests and 3.2 MB that it was; ``bench/page.py`` measures the time."""
    first_visit(visitor(), server)  # the net is in memory: a bar for its loading is two scripts more
    first_visit(page, server)
    asked: list[tuple[str, int]] = page.evaluate(ASKED_BEFORE)
    names = [server, *(url for url, _ in asked if not url.startswith(("blob:", "data:")))]
    assert len(names) <= 28
    ahead = [name for name in names if "seen.png" not in name]
    assert not [name for name in ahead if "/static/js/" in name]
    first_maps = next(n for n, name in enumerate(names) if "layer.png" in name)
    assert not [name for name in names[:first_maps] if "/media/" in name or "seen.png" in name]
    assert 400_000 < sum(size for _, size in asked) < 800_000


def test_a_visit_tries_nothing_that_the_page_may_not_do(page: Page, server: str) -> None:
    """Firefox logs each try as an error, which would hide true ones; all engines tell the page of one."""
    page.add_init_script("""{
        window.refused = [];
        addEventListener("securitypolicyviolation", ({ blockedURI }) => refused.push(blockedURI));
    }""")
    first_visit(page, server)
    assert page.evaluate("refused") == []


def test_what_no_pack_has_is_fetched_when_it_is_needed(page: Page, server: str) -> None:
    """As a file, which finds Streamlit's other scripts where the packs have put them, and is there once."""
    first_visit(page, server)
    made = packs()
    assert made
    (slider,) = (Path(file_util.get_static_dir()) / "static/js").glob("Slider.*.js")
    brought = "".join(text.decode() for text in pack_texts().values())
    assert f'"{slider.name}"' not in brought
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    same = "async name => (await layerglassLoad(name)).default === (await layerglassLoad(name)).default"
    assert page.evaluate(same, slider.name)
    files = [url.rpartition("/")[2] for url in asked if "/static/js/" in url]
    assert slider.name in files
    assert not [name for name in files if f'"{name}":' in brought]
