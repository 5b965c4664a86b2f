"""Addresses of the documents: ``/help/``, ``/help/<name>``, pictures and scripts beside them."""

import asyncio
import gzip
import json
from functools import lru_cache
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from ..browser.modules import ASSETS, HELP, version
from ..wire.page_path import DOCUMENTS
from .contents import INDEX, SERVED, file_beside, for_programs
from .site import Place, page, searched

SEARCHED = "search.json"
_FRESH, _HOUR = {"cache-control": "no-cache"}, {"cache-control": "public, max-age=3600"}
NOWHERE = "There is no such document: the contents of the help list all."


def help_routes() -> list[Route]:
    """Return the routes of the documents and of what they show."""
    return [Route(DOCUMENTS, _contents), Route(f"{DOCUMENTS}/{{name:path}}", _document)]


def place() -> Place:
    """Return the documents' place on this server, beside its page.

    They share its scripts.
    """
    return Place(f'<script type="module" src="../{ASSETS}/{version()}/{HELP}"></script>')


async def _contents(_: Request) -> Response:
    """Lead to the contents; pages beside them are named from there."""
    return RedirectResponse(f".{DOCUMENTS}/")


async def _document(request: Request) -> Response:
    name = request.path_params["name"]
    if name == SEARCHED:
        return await asyncio.to_thread(_search, request.headers.get("if-none-match", ""))
    if (file := file_beside(name)) is not None:
        return FileResponse(file, media_type=SERVED[file.suffix], headers=_HOUR)
    if name.endswith((".md", ".txt")) and (text := (await asyncio.to_thread(for_programs)).get(name)):
        return Response(text, headers=_FRESH, media_type="text/plain")
    found = await asyncio.to_thread(page, name or INDEX, place())
    if found is None:
        return Response(NOWHERE, 404, media_type="text/plain")
    return Response(found, headers=_FRESH, media_type="text/html")


@lru_cache(maxsize=1)
def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def _search(known: str) -> Response:
    """Return the searched texts, or nothing if the browser has them."""
    body = json.dumps(searched(place()), ensure_ascii=False).encode()
    headers = _FRESH | {"etag": f'"{sha256(body).hexdigest()[:16]}"'}
    if known == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(
        _compressed(body),
        headers=headers | {"content-encoding": "gzip"},
        media_type="application/json",
    )
