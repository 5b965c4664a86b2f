"""Security headers stand on every answer."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from viz.ui.headers import HEADERS, POLICY, SecurityHeaders


async def _plain(_: Request) -> Response:
    return PlainTextResponse("hello")


async def _strict(_: Request) -> Response:
    return PlainTextResponse("hello", headers={"content-security-policy": "default-src 'none'"})


def _client() -> TestClient:
    routes = [Route("/plain", _plain), Route("/strict", _strict)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(SecurityHeaders)]))


def test_every_answer_has_the_headers_also_errors() -> None:
    """A page that was found and one that was not."""
    for path in ("/plain", "/nowhere"):
        headers = _client().get(path).headers
        for name, value in HEADERS:
            assert headers[name.decode()] == value.decode()


def test_nothing_is_loaded_from_elsewhere_and_nobody_may_frame_the_page() -> None:
    """The policy allows no origin but the page's own."""
    rules = dict(rule.strip().split(" ", 1) for rule in POLICY.split(";"))
    assert rules["default-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert rules["object-src"] == "'none'"
    assert not any("http" in rule or "*" in rule for rule in rules.values())


def test_a_stricter_policy_of_an_answer_stands() -> None:
    """The middleware adds what is missing and repeats nothing."""
    headers = _client().get("/strict").headers
    assert headers.get_list("content-security-policy") == ["default-src 'none'"]
    assert headers["x-frame-options"] == "DENY"
