"""Streamlit's page and scripts come compressed, with the same content, below something to see."""

import gzip
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from streamlit import file_util

from viz.ui.browser.modules import files, version
from viz.ui.locale.words import words_file
from viz.ui.wire.shell_files import ShellFiles
from viz.ui.wire.shell_packs import packs

STATIC = Path(file_util.get_static_dir())
GZIP = {"accept-encoding": "gzip"}


@pytest.fixture
def client() -> TestClient:
    """A server that has nothing else."""
    return TestClient(Starlette(middleware=[Middleware(ShellFiles)]))


def test_every_script_of_the_page_is_the_file_and_smaller(client: TestClient) -> None:
    """All that the page's head names: what a first visit loads before anything is on screen."""
    named = re.findall(r'(?:src|href)="\./(static/[^"]+\.(?:js|css))"', (STATIC / "index.html").read_text())
    assert len(named) > 20
    for path in named:
        answer = client.get(f"/{path}", headers=GZIP)
        assert answer.content == (STATIC / path).read_bytes()
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
    sizes = [int(client.get(f"/{path}", headers=GZIP).headers["content-length"]) for path in named]
    assert sum(sizes) < sum((STATIC / path).stat().st_size for path in named) / 2


def test_who_reads_no_gzip_is_passed_on(client: TestClient) -> None:
    """Streamlit then answers itself; here, nobody does."""
    (script, *_) = (STATIC / "static/js").glob("index.*.js")
    for path in ("/", f"/static/js/{script.name}"):
        assert client.get(path, headers={"accept-encoding": "identity"}).status_code == 404


def test_no_other_file_is_sent(client: TestClient) -> None:
    """Neither one beside the folder nor one with another name."""
    for path in ("/static/../index.html", "/static/%2e%2e/index.html", "/static/js/", "/static/js/none.js"):
        assert client.get(path, headers=GZIP).status_code == 404


def test_the_page_is_streamlits_with_our_tags_and_something_to_see(client: TestClient) -> None:
    """Our first script starts Streamlit's; what its head named beforehand is in the pack."""
    text = client.get("/", headers=GZIP).text
    page = (STATIC / "index.html").read_text("utf-8")
    made = packs()
    assert made
    ours = re.findall(r'"\./assets/([^/]+)/([^"]+)"', text)
    *scripts, words = ours
    assert scripts == [(version(), path) for path in ("start.js", "bundle.js", "style.css")]
    assert all(path in files() for _, path in scripts)
    assert words == ("words", f"{words_file('en')[0]}.json")
    assert f'href="./static/{made.first}" data-entry="{made.entry}"' in text
    assert not re.search(r"modulepreload[^>]*static|/static/js/|as=.font", text)
    kept = (
        "<title>",
        "prerenderReady = ",
        '<div id="root">',
        "<noscript>",
        "./favicon.png",
        "service-desc",
    )
    for each in kept:
        assert text.count(each) == page.count(each) == 1


@pytest.mark.parametrize(
    ("query", "browser", "language"),
    [
        ("", "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("?lang=en", "zh-CN", "en"),
        ("?lang=zh", "en", "zh"),
        ("?lang=xx", "de-DE, en;q=0.5", "en"),
        ("", "", "en"),
    ],
)
def test_the_words_that_a_first_visit_needs_are_fetched_early(
    client: TestClient, query: str, browser: str, language: str
) -> None:
    """Those of the address, or else of the browser, as the page's script chooses them."""
    text = client.get(f"/{query}", headers=GZIP | {"accept-language": browser}).text
    (words,) = re.findall(r'as="fetch" crossorigin href="\./assets/words/([^"]+)\.json"', text)
    assert words == words_file(language)[0]


def test_what_is_to_be_seen_waits_for_no_file(client: TestClient) -> None:
    """It stands before the page's style sheet, which browsers wait for; its picture is in it."""
    answer = client.get("/", headers=GZIP)
    text = answer.text
    assert (
        text.index('<div class="lg-skeleton"') < text.index('rel="stylesheet"') < text.index('<div id="root"')
    )
    seen = text[text.index("<body>") : text.index('<link rel="stylesheet"')]
    assert re.findall(r'(?:src|href|url\()="?([^"]{0,22})', seen.partition("</noscript>")[2]) == [
        "data:image/webp;base64"
    ]
    assert len(gzip.compress(text.encode())) < 6000
    assert answer.headers["cache-control"] == "no-cache"


def test_another_picture_than_the_first_is_not_shown_as_it(client: TestClient) -> None:
    """A link that names a picture gets an empty place for it."""
    assert "data:image" not in client.get("/?sample=coffee", headers=GZIP).text
