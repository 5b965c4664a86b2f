"""Below an operator's path, our addresses are found, and nobody else's is changed."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit import config

from viz.ui.wire.page_path import PagePath, page_path


async def _path(asked: Request) -> Response:
    return PlainTextResponse(asked.url.path)


@pytest.fixture
def below(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """A server whose operator has put the page at ``/a/glass``."""
    read = config.get_option
    said = {"server.baseUrlPath": "a/glass/"}
    monkeypatch.setattr(config, "get_option", lambda name: said.get(name) or read(name))
    routes = [Route("/{path:path}", _path)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(PagePath)]))


@pytest.mark.usefixtures("below")
def test_the_path_is_read_with_and_without_slashes_around_it() -> None:
    """As Streamlit reads it."""
    assert page_path() == "/a/glass"


def test_answers_and_scripts_are_found_below_the_path(below: TestClient) -> None:
    """They know their addresses from the top of the host only."""
    assert below.get("/a/glass/maps/x/layer.json?layer=a").text == "/maps/x/layer.json"
    assert below.get("/a/glass/metrics").text == "/metrics"
    assert below.get("/a/glass/operator.json").text == "/operator.json"
    assert below.get("/a/glass/assets/1/style.css").text == "/assets/1/style.css"


def test_what_is_streamlits_keeps_its_path(below: TestClient) -> None:
    """Streamlit serves its own below the path; a path that only looks alike is nobody's."""
    for path in ("/a/glass/_stcore/health", "/a/glass/static/js/x.js", "/a/glassy/maps/x", "/b/maps/x"):
        assert below.get(path).text == path


def test_without_a_path_nothing_changes() -> None:
    """The page has its host for itself."""
    client = TestClient(Starlette(routes=[Route("/{path:path}", _path)], middleware=[Middleware(PagePath)]))
    assert page_path() == ""
    assert client.get("/maps/x/layer.json").text == "/maps/x/layer.json"
