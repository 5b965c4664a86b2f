"""The addresses of files to take home, of all layers or one block: ``/maps/<token>.home.html``, ``.gif``."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...catalogue import models
from ...take_home.album import Album
from ...take_home.animation import animation
from ...take_home.standalone import standalone_page
from ...views.whole_model import Seen
from ..locale.catalogues import ENGLISH, languages
from ..locale.words import file_words
from ..visit.service import engine
from ..visit.visit import MapSet
from .answers import LONGEST_NAME, PRIVATE, answered, attachment, model_said
from .threads import in_thread, result_of


def home_routes() -> list[Route]:
    """Both routes."""
    return [
        Route("/maps/{token:str}.home.html", answered(_page)),
        Route("/maps/{token:str}.home.gif", answered(_animation)),
    ]


async def _page(request: Request, map_set: MapSet) -> Response:
    wanted, asked = map_set.wanted, request.query_params.get("lang", "")
    language = asked if asked in languages() else ENGLISH
    words = file_words(language)
    sheets = await result_of(engine().do(_album(request, map_set), visitor=map_set.visitor, urgent=False))
    seen = await result_of(
        engine().do(Seen(map_set.photo, wanted.model, wanted.weights), visitor=map_set.visitor)
    )
    title = _title(map_set)
    data = await in_thread(
        map_set, lambda: standalone_page(sheets, title=title, words=words, language=language, seen=seen)
    )
    return _file(request, map_set, data, "html", "text/html")


async def _animation(request: Request, map_set: MapSet) -> Response:
    sheets = await result_of(engine().do(_album(request, map_set), visitor=map_set.visitor, urgent=False))
    data = await in_thread(map_set, animation, sheets, _title(map_set))
    return _file(request, map_set, data, "gif", "image/gif")


def _album(request: Request, map_set: MapSet) -> Album:
    return Album(map_set.wanted, map_set.photo, request.query_params.get("block", "")[:LONGEST_NAME])


def _title(map_set: MapSet) -> str:
    wanted = map_set.wanted
    about = [edit.text for edit in wanted.in_force]
    if wanted.gradient is not None:
        about.append(f"gradient of {models.describe(wanted.model).classes[wanted.gradient]!r}")
    return ", ".join((model_said(wanted), *about))


def _file(request: Request, map_set: MapSet, data: bytes, form: str, kind: str) -> Response:
    block = request.query_params.get("block", "")[:LONGEST_NAME] or "layers"
    headers = PRIVATE | attachment(f"{map_set.wanted.model}-{block}.{form}")
    return Response(data, media_type=kind, headers=headers)
