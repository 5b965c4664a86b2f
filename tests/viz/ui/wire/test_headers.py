"""Every answer has the security headers."""

import asyncio
import base64
import hashlib
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

from viz.ui.wire.headers import FRAMES, HEADERS, SecurityHeaders, framing_sites, inline_scripts, policy


async def _plain(_: Request) -> Response:
    return PlainTextResponse("hello")


async def _strict(_: Request) -> Response:
    return PlainTextResponse("hello", headers={"content-security-policy": "default-src 'none'"})


def _client() -> TestClient:
    routes = [Route("/plain", _plain), Route("/strict", _strict)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(SecurityHeaders)]))


def _rules(host: str = "maps.example:8501") -> dict[str, str]:
    return dict(rule.strip().split(" ", 1) for rule in policy(host).split(";"))


def test_every_answer_has_the_headers_also_errors() -> None:
    """A page that was found and one that was not."""
    for path in ("/plain", "/nowhere"):
        headers = _client().get(path).headers
        assert headers["content-security-policy"] == policy("testserver")
        for name, value in HEADERS:
            assert headers[name.decode()] == value.decode()


def test_nothing_is_loaded_from_elsewhere_and_nobody_may_frame_the_page() -> None:
    """The policy allows no origin but the page's own."""
    rules = _rules()
    assert rules["default-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert rules["object-src"] == "'none'"
    assert not any("http" in rule or "*" in rule for rule in rules.values())


def test_only_the_sites_that_the_operator_names_may_frame_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The older header cannot name one, and would forbid what the policy allows."""
    monkeypatch.setenv(FRAMES, "https://lms.example.edu, https://*.slides.example:8443")
    headers = _client().get("/plain").headers
    rule = "frame-ancestors https://lms.example.edu https://*.slides.example:8443"
    assert rule in headers["content-security-policy"].split("; ")
    assert "x-frame-options" not in headers


@pytest.mark.parametrize(
    "said", ["", " , ", "*", "lms.example", "https://a b", "https://a;script-src *", "'self'"]
)
def test_what_names_no_site_allows_no_frame(said: str) -> None:
    """Nor does it write another rule into the policy."""
    assert framing_sites({FRAMES: said}) == ()
    assert framing_sites({FRAMES: f"{said},https://lms.example"}) == ("https://lms.example",)


def test_no_script_runs_that_somebody_wrote_into_the_page() -> None:
    """Neither inline nor by ``eval``; only the script in Streamlit's own page runs, by its hash."""
    rules = _rules()
    (script,) = inline_scripts((Path(file_util.get_static_dir()) / "index.html").read_bytes())
    assert rules["script-src"] == f"'self' {script} blob:"
    assert "unsafe" not in rules["script-src"]


def test_the_hash_of_a_script_is_that_of_its_text() -> None:
    """Compared with the digest computed here; scripts that are loaded need none."""
    page = b'<script src="a.js"></script><script>\n let a = 1\n</script>'
    digest = base64.b64encode(hashlib.sha256(b"\n let a = 1\n").digest()).decode()
    assert inline_scripts(page) == (f"'sha256-{digest}'",)


def test_sockets_reach_only_the_host_that_was_asked() -> None:
    """Both schemes are named, because older browsers do not count them as the page's own."""
    assert _rules()["connect-src"] == "'self' data: blob: ws://maps.example:8501 wss://maps.example:8501"


@pytest.mark.parametrize(
    "host", ["a; script-src *", "*", "evil.example *", "[::1]:8501", "", "a,b", "x\r\ny"]
)
def test_a_host_that_is_no_plain_name_adds_nothing(host: str) -> None:
    """Otherwise a request's header could write into the policy."""
    assert _rules(host)["connect-src"] == "'self' data: blob:"
    assert "script-src *" not in policy(host)


def test_a_stricter_policy_of_an_answer_stands() -> None:
    """The middleware adds what is missing and repeats nothing."""
    headers = _client().get("/strict").headers
    assert headers.get_list("content-security-policy") == ["default-src 'none'"]
    assert headers["x-frame-options"] == "DENY"


async def _refusing(_: Scope, __: Receive, send: Send) -> None:
    await send({"type": "websocket.close", "code": 1008})


async def _accepting(_: Scope, __: Receive, send: Send) -> None:
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": 1000})


@pytest.mark.parametrize(
    ("app", "kind", "last"),
    [
        (_refusing, "websocket.http.response.start", "websocket.http.response.body"),
        (_accepting, "websocket.accept", "websocket.close"),
    ],
)
def test_the_answer_to_a_websocket_has_the_headers_as_well(app: ASGIApp, kind: str, last: str) -> None:
    """A refusal becomes an answer of ours, because the server's own would have none."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    scope = {
        "type": "websocket",
        "headers": [(b"host", b"localhost")],
        "extensions": {"websocket.http.response": {}},
    }
    asyncio.run(SecurityHeaders(app)(scope, receive, send))
    assert [each["type"] for each in sent] == [kind, last]
    headers = dict(sent[0]["headers"])
    assert headers[b"content-security-policy"].decode() == policy("localhost")
    assert dict(HEADERS).items() <= headers.items()
    assert sent[0].get("status", 403) == 403
