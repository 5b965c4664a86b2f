"""The routes of the browser's modules, styles and words, kept for good."""

import gzip
from functools import cache

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ...browser.modules import ASSETS, files, version
from ...locale.catalogues import languages
from ...locale.words import words_file
from ..headers import FOR_GOOD

KINDS = {"js": "text/javascript", "css": "text/css"}


def asset_routes() -> list[Route]:
    """The routes of every file, and of every language's words."""
    return [
        Route(f"/{ASSETS}/words/{{name:str}}.json", _words),
        Route(f"/{ASSETS}/{{version:str}}/{{path:path}}", _asset),
    ]


async def _asset(request: Request) -> Response:
    """Return one file; none at the address of another version."""
    path = request.path_params["path"]
    if request.path_params["version"] != version() or path not in files():
        return _changed()
    return _sent(request, files()[path], KINDS[path.rpartition(".")[2]])


async def _words(request: Request) -> Response:
    """Return the words of one language."""
    text = dict(map(words_file, languages())).get(request.path_params["name"])
    return _sent(request, text, "application/json") if text else _changed()


def _changed() -> Response:
    return PlainTextResponse("The page has changed: open it again.", status_code=404)


def _sent(request: Request, content: bytes, kind: str) -> Response:
    if "gzip" in request.headers.get("accept-encoding", ""):
        packed = FOR_GOOD | {"content-encoding": "gzip"}
        return Response(_compressed(content), media_type=kind, headers=packed)
    return Response(content, media_type=kind, headers=FOR_GOOD)


@cache
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
