"""Security headers for every answer: no foreign content, only allowed frames."""

import base64
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

# Streamlit loads each of the page's own parts as a module from a blob:, writes styles inline, and fetches
# what its camera took from a data: address.
POLICY = (
    "default-src 'self'; "
    "script-src 'self'{scripts} blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "font-src 'self' data:; "
    "connect-src 'self' data: blob:{sockets}; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors {frames}"
)
FRAMES = "LAYERGLASS_FRAMES"
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),  # it cannot name a site: where one is allowed, the policy alone says so
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(self), microphone=(), geolocation=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# For what never changes at its address.
FOR_GOOD = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
# What begins an answer; the last one is that to a websocket which is let in.
_BEGINNINGS = {"http.response.start", "websocket.http.response.start", "websocket.accept"}
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_SITE = re.compile(r"https?://(\*\.)?[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:[0-9]{1,5})?")
_HOST = re.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(:[0-9]{1,5})?")


def inline_scripts(page: bytes) -> tuple[str, ...]:
    """Return the hash of each inline script, as a policy names it.

    Source: Content Security Policy Level 3, section 8.4.
    """
    return tuple(
        f"'sha256-{base64.b64encode(sha256(script).digest()).decode()}'" for script in _INLINE.findall(page)
    )


@cache
def _installed_scripts() -> tuple[str, ...]:
    """Return the hashes of scripts in the installed Streamlit's page."""
    page = Path(file_util.get_static_dir()) / "index.html"
    return inline_scripts(page.read_bytes()) if page.is_file() else ()


def framing_sites(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the sites that may show the page in a frame.

    The operator names them, such as ``https://*.example.org``; what is no site is ignored.
    """
    said = (each.strip().lower() for each in environment.get(FRAMES, "").split(","))
    return tuple(each for each in said if _SITE.fullmatch(each))


def policy(host: str, frames: Sequence[str] = ()) -> str:
    """Return the content security policy of a page at this host.

    Older browsers do not count websockets as "self", so the host's are named too, if it has a plain name.
    ``frames``: the sites that may show the page in a frame.
    """
    return POLICY.format(
        scripts="".join(f" {each}" for each in _installed_scripts()),
        sockets=f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else "",
        frames=" ".join(frames) or "'none'",
    )


class SecurityHeaders:
    """ASGI middleware that adds missing security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._frames = framing_sites()
        left_out = b"x-frame-options" if self._frames else b""
        self._headers = tuple(each for each in HEADERS if each[0] != left_out)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the headers to its answer."""
        begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] in _BEGINNINGS:
                own = (b"content-security-policy", policy(_host(scope), self._frames).encode())
                present = {name.lower() for name, _ in message.get("headers", ())}
                added = (header for header in (own, *self._headers) if header[0] not in present)
                message["headers"] = [*message.get("headers", ()), *added]
            elif message["type"] == "websocket.close" and not begun and _can_be_answered(scope):
                await Response(status_code=403)(scope, receive, send_with_headers)
                return
            begun = True
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _can_be_answered(scope: Scope) -> bool:
    """Return whether the server can answer a refused websocket in full."""
    return "websocket.http.response" in scope.get("extensions", {})


def _host(scope: Scope) -> str:
    said = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return said.decode("latin-1")
