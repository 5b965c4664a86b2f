"""The browser's half over HTTP: kept for good, compressed for those who read that, nothing but its files."""

import re
from pathlib import PurePosixPath

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from viz.ui.browser.bundle import BUNDLE, LATER
from viz.ui.browser.modules import BROWSER, STYLE, files, version
from viz.ui.locale.catalogues import languages
from viz.ui.locale.words import browser_words, words_file, words_named
from viz.ui.wire.routes.routes_assets import asset_routes

SAID = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
IMPORTED = re.compile(r"""(?:from|import)\s*\(?\s*"(\.[^"]+)\"""")


@pytest.fixture
def client() -> TestClient:
    """A server with nothing but these routes."""
    return TestClient(Starlette(routes=asset_routes()))


def test_every_module_on_disk_is_served_as_it_is(client: TestClient) -> None:
    """Plain and compressed answers hold the same bytes as the file."""
    for path in BROWSER.rglob("*.js"):
        address = f"/assets/{version()}/{path.relative_to(BROWSER).as_posix()}"
        plain = client.get(address, headers={"accept-encoding": "identity"})
        packed = client.get(address, headers={"accept-encoding": "gzip"})
        assert plain.content == packed.content == path.read_bytes(), path
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert plain.headers["content-type"].startswith("text/javascript")


def test_browsers_may_keep_an_answer_for_good(client: TestClient) -> None:
    """Its address changes with its content, so it never goes stale."""
    kept = client.get(f"/assets/{version()}/{STYLE}").headers["cache-control"]
    assert "immutable" in kept
    assert "max-age=31536000" in kept


def test_another_version_and_other_files_are_not_there(client: TestClient) -> None:
    """A page that was open during an upgrade gets no mixture, and nobody gets our Python."""
    assert client.get(f"/assets/{'0' * 16}/{STYLE}").status_code == 404
    for path in ("modules.py", "../modules.py", "%2e%2e/modules.py", "page/page.css/", "", "page"):
        assert client.get(f"/assets/{version()}/{path}").status_code == 404, path


def test_the_words_of_each_language_are_a_file_that_changes_its_name_with_them(client: TestClient) -> None:
    """They are those that the page's parts are given elsewhere; no other name leads to a file."""
    names = {language: words_file(language)[0] for language in languages()}
    assert len(set(names.values())) == len(names) > 1
    for language, name in names.items():
        answer = client.get(f"/assets/words/{name}.json", headers={"accept-encoding": "gzip"})
        assert answer.json() == browser_words(language)
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
        assert words_named(language) == {"language_code": language, "file": name}
    for name in ("0" * 16, "en", "../modules"):
        assert client.get(f"/assets/words/{name}.json").status_code == 404, name


def test_every_import_names_a_module_that_is_there() -> None:
    """Relative names are resolved as a browser does it."""
    sources = {path: text for path, text in files().items() if path.endswith(".js")}
    for path in sources.keys() - {BUNDLE, LATER}:
        for name in IMPORTED.findall(sources[path].decode()):
            parts: list[str] = []
            for part in (*PurePosixPath(path).parent.parts, *PurePosixPath(name).parts):
                parts = parts[:-1] if part == ".." else [*parts, part]
            assert name == "../" or "/".join(parts) in files(), f"{path} imports {name}"


def test_the_style_sheet_holds_every_features_rules() -> None:
    """The page's come first, then the viewer's, which other features change."""
    style = files()[STYLE].decode()
    rules = {path: SAID.sub("", path.read_text("utf-8")) for path in BROWSER.rglob("*.css")}
    style = re.sub(r"-webkit-user-select: \w+; (?=user-select)", "", style)  # put in for Safari
    places = [style.index(text) for text in rules.values()]
    first = [style.index(rules[BROWSER / name]) for name in ("page/page.css", "layer/viewer.css")]
    assert sorted(places)[:2] == first
