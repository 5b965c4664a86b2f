"""Streamlit's own files for slow lines: compressed once, and the page names our scripts from the start."""

import asyncio
import gzip
from functools import cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import file_util

from ..browser.modules import ASSETS, BUNDLE, FIRST, STYLE, version
from .headers import FOR_GOOD
from .page_path import page_path

FOLDER = "/static/"  # the names in it contain a hash of their content
KINDS = {".js": "text/javascript", ".css": "text/css"}  # fonts and pictures are compressed already


class ShellFiles:
    """ASGI middleware that answers for Streamlit's page, scripts and styles, where the browser reads gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, or pass the request on."""
        if scope["type"] == "http" and scope["method"] == "GET" and _reads_gzip(scope):
            if scope["path"] in {f"{page_path()}/", page_path()}:
                return await _sent(_page(), "text/html", {"cache-control": "no-cache"})(scope, receive, send)
            path = _files().get(scope["path"].removeprefix(page_path() + FOLDER))
            if path:
                packed = await asyncio.to_thread(_compressed, path)
                return await _sent(packed, KINDS[path.suffix], FOR_GOOD)(scope, receive, send)
        return await self._app(scope, receive, send)


def _reads_gzip(scope: Scope) -> bool:
    return "gzip" in Headers(scope=scope).get("accept-encoding", "")


def _sent(packed: bytes, kind: str, headers: dict[str, str]) -> Response:
    named = {"content-encoding": "gzip", "vary": "accept-encoding"}
    return Response(packed, media_type=kind, headers=headers | named)


def tags() -> str:
    """Tags for our first script, and for what a browser may fetch while it still reads Streamlit's."""
    root = f"./{ASSETS}/{version()}/"
    return (
        f'<script type="module" src="{root}{FIRST}"></script>'
        f'<link rel="modulepreload" href="{root}{BUNDLE}">'
        f'<link rel="preload" as="style" href="{root}{STYLE}">'
    )


@cache
def _page() -> bytes:
    page = (Path(file_util.get_static_dir()) / "index.html").read_text("utf-8")
    return gzip.compress(page.replace("<head>", f"<head>{tags()}", 1).encode(), mtime=0)


@cache
def _files() -> dict[str, Path]:
    """The files that get smaller, by their paths below ``FOLDER``; no other path reaches the disk."""
    root = Path(file_util.get_static_dir()) / FOLDER.strip("/")
    return {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.suffix in KINDS}


@cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
