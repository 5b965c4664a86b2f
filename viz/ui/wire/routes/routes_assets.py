"""The route of the browser's modules and styles, kept for good."""

import gzip
from functools import cache

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ...browser.modules import ASSETS, files, version
from ..headers import FOR_GOOD

KINDS = {"js": "text/javascript", "css": "text/css"}


def asset_routes() -> list[Route]:
    """The route of every file."""
    return [Route(f"/{ASSETS}/{{version:str}}/{{path:path}}", _asset)]


async def _asset(request: Request) -> Response:
    """Return one file; none at the address of another version."""
    path = request.path_params["path"]
    if request.path_params["version"] != version() or path not in files():
        return PlainTextResponse("The page has changed: open it again.", status_code=404)
    kind = KINDS[path.rpartition(".")[2]]
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_compressed(path), media_type=kind, headers=FOR_GOOD | {"content-encoding": "gzip"})
    return Response(files()[path], media_type=kind, headers=FOR_GOOD)


@cache
def _compressed(path: str) -> bytes:
    return gzip.compress(files()[path], mtime=0)
