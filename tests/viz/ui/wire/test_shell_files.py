"""Streamlit's page and scripts come compressed, with the same content, and the page names our modules."""

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from streamlit import file_util

from viz.ui.browser.modules import files, version
from viz.ui.wire.shell_files import ShellFiles

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


def test_the_page_is_streamlits_and_names_our_files_first(client: TestClient) -> None:
    """Browsers fetch them while they still read Streamlit's scripts; nothing else is changed."""
    answer = client.get("/", headers=GZIP)
    tag = r'<\w+ [^>]*"\./assets/([^/]+)/([^"]+)">(?:</script>)?'
    ours = re.findall(tag, answer.text)
    assert ours == [(version(), path) for path in ("page/first.js", "bundle.js", "style.css")]
    assert all(path in files() for _, path in ours)
    assert answer.text.index("first.js") < answer.text.index("/static/js/")
    left = re.sub(tag, "", answer.text)
    assert left == (STATIC / "index.html").read_text("utf-8")
    assert answer.headers["cache-control"] == "no-cache"
