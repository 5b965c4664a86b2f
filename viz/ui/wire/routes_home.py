"""The addresses of files to take home, of all layers or one: ``/maps/<book>.home.html`` and ``.home.gif``."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...catalogue import models
from ...take_home.album import Album
from ...take_home.animation import animation
from ...take_home.standalone import standalone_page
from ...views.whole_model import Seen
from ..locale.words import LANGUAGES, in_language
from ..locale.words_home import FILE_WORDS
from ..visit.service import engine
from ..visit.visit import Book
from .answers import LONGEST_NAME, PRIVATE, answered, attachment, result_of
from .threads import in_thread


def home_routes() -> list[Route]:
    """Both routes."""
    return [
        Route("/maps/{token:str}.home.html", answered(_page)),
        Route("/maps/{token:str}.home.gif", answered(_animation)),
    ]


async def _page(request: Request, book: Book) -> Response:
    wanted, asked = book.wanted, request.query_params.get("lang", "")
    language = asked if asked in LANGUAGES else next(iter(LANGUAGES))
    sheets = await result_of(engine().do(_album(request, book), visitor=book.visitor, urgent=False))
    seen = await result_of(engine().do(Seen(book.photo, wanted.model, wanted.weights), visitor=book.visitor))
    words = {key: in_language(language, pair) for key, pair in FILE_WORDS.items()}
    title = _title(book)
    data = await in_thread(
        book, lambda: standalone_page(sheets, title=title, words=words, language=language, seen=seen)
    )
    return _file(request, book, data, "html", "text/html")


async def _animation(request: Request, book: Book) -> Response:
    sheets = await result_of(engine().do(_album(request, book), visitor=book.visitor, urgent=False))
    data = await in_thread(book, animation, sheets, _title(book))
    return _file(request, book, data, "gif", "image/gif")


def _album(request: Request, book: Book) -> Album:
    return Album(book.wanted, book.photo, request.query_params.get("block", "")[:LONGEST_NAME])


def _title(book: Book) -> str:
    wanted = book.wanted
    about = [edit.text for edit in wanted.in_force]
    if wanted.gradient is not None:
        about.append(f"gradient of {models.describe(wanted.model).classes[wanted.gradient]!r}")
    return ", ".join((wanted.model, f"{wanted.weights.partition(':')[0]} weights", *about))


def _file(request: Request, book: Book, data: bytes, form: str, kind: str) -> Response:
    block = request.query_params.get("block", "")[:LONGEST_NAME] or "layers"
    headers = PRIVATE | attachment(f"{book.wanted.model}-{block}.{form}")
    return Response(data, media_type=kind, headers=headers)
