"""Streamlit's own files for slow lines: fewer, and compressed once."""

import asyncio
import base64
import gzip
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from threading import Lock

from PIL import ImageOps
from starlette.datastructures import Headers, QueryParams
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import file_util

from ...pictures.samples import sample, sample_names
from ..browser.bundle import BUNDLE
from ..browser.modules import ASSETS, START, STYLE, skeleton, version
from ..locale.catalogues import ENGLISH, best, languages
from ..locale.words import browser_words, words_file
from .headers import FOR_GOOD
from .page_path import page_path
from .shell_packs import ENTRY, pack_texts, packs

FOLDER = "/static/"  # the names in it contain a hash of their content
KINDS = {".js": "text/javascript", ".css": "text/css"}  # fonts and pictures are compressed already
# What the page's head names and the packs bring, or the theme does not use: Streamlit's own font.
_AHEAD = re.compile(r'\s*<link\s+rel="(?:modulepreload"\s+crossorigin|preload"[^>]*as="font")[^>]*>')
_SHEET = re.compile(r'\s*<link rel="stylesheet"[^>]*>')
SIDE = 48  # pixels of the first picture, as it comes with the page
_ROOT = '<div id="root">'
_PACKING = Lock()  # the first page asks for them while they are being made


class ShellFiles:
    """ASGI middleware that serves Streamlit's files to browsers that read gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, or pass the request on."""
        if scope["type"] == "http" and scope["method"] == "GET" and _reads_gzip(scope):
            if scope["path"] in {f"{page_path()}/", page_path()}:
                page = await asyncio.to_thread(_page, b"sample=" in scope["query_string"], _language(scope))
                return await _sent(page, "text/html", {"cache-control": "no-cache"})(scope, receive, send)
            name = scope["path"].removeprefix(page_path() + FOLDER)
            if pack := (await asyncio.to_thread(_packs)).get(name):
                return await _sent(pack, "application/json", FOR_GOOD)(scope, receive, send)
            if path := _files().get(name):
                packed = await asyncio.to_thread(_compressed, path)
                return await _sent(packed, KINDS[path.suffix], FOR_GOOD)(scope, receive, send)
        return await self._app(scope, receive, send)


def _reads_gzip(scope: Scope) -> bool:
    return "gzip" in Headers(scope=scope).get("accept-encoding", "")


def _language(scope: Scope) -> str:
    """The language of the address, or else the browser's."""
    named = QueryParams(scope["query_string"]).get("lang", "")
    if named in languages():
        return named
    return best(re.split("[,;]", Headers(scope=scope).get("accept-language", ""))[0].strip())


def _sent(packed: bytes, kind: str, headers: dict[str, str]) -> Response:
    named = {"content-encoding": "gzip", "vary": "accept-encoding, accept-language"}
    return Response(packed, media_type=kind, headers=headers | named)


def warm_page() -> None:
    """Make the page that a first visit asks for."""
    _page(another=False, language=ENGLISH)


def warm_packs() -> None:
    """Compress the scripts that a page requests next."""
    _packs()


def tags(language: str) -> str:
    """Return tags for our first script, and files to fetch early."""
    root = f"./{ASSETS}/{version()}/"
    made = packs()
    shell = (
        f'<link rel="preload" as="fetch" crossorigin href=".{FOLDER}{made.first}" data-entry="{made.entry}">'
        if made
        else ""
    )
    return (
        f'{shell}<script type="module" src="{root}{START}"></script>'
        f'<link rel="modulepreload" href="{root}{BUNDLE}">'
        f'<link rel="preload" as="style" href="{root}{STYLE}">'
        f'<link rel="preload" as="fetch" crossorigin href="./{ASSETS}/words/{words_file(language)[0]}.json">'
    )


def shell_page(page: str, picture: str = "", language: str = ENGLISH) -> str:
    """Return Streamlit's page with our tags and something to see at once."""
    if packs():
        page = _AHEAD.sub("", ENTRY.sub("", page))
    sheets = "".join(_SHEET.findall(page))
    away = {language: str(browser_words(language)["server_away"]) for language in languages()}
    below = _SHEET.sub("", page).replace("<head>", f"<head>{tags(language)}", 1)
    return below.replace(_ROOT, f"{skeleton(picture, away)}{sheets}{_ROOT}", 1)


@cache
def _page(another: bool, language: str) -> bytes:
    """Return the page, with a tiny first picture unless another is named."""
    page = (Path(file_util.get_static_dir()) / "index.html").read_text("utf-8")
    return gzip.compress(shell_page(page, "" if another else _first_picture(), language).encode(), mtime=0)


def _first_picture() -> str:
    small, written = ImageOps.fit(sample(sample_names()[0]), (SIDE, SIDE)), BytesIO()
    small.save(written, "WEBP", quality=45)
    return f"data:image/webp;base64,{base64.b64encode(written.getvalue()).decode()}"


def _packs() -> dict[str, bytes]:
    with _PACKING:
        return _packed()


@cache
def _packed() -> dict[str, bytes]:
    return {name: gzip.compress(text, mtime=0) for name, text in pack_texts().items()}


@cache
def _files() -> dict[str, Path]:
    """Return the files that get smaller, by paths below ``FOLDER``.

    No other path reaches the disk.
    """
    root = Path(file_util.get_static_dir()) / FOLDER.strip("/")
    return {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.suffix in KINDS}


@cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
