"""Addresses of what hooks tell about a pass: its timeline, and what is left of a layer's value in memory."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...views.hook_bars import hook_bar_facts
from ...views.hook_tasks import MemoryTask, TimelineTask, WrittenTask
from ...views.memory_pictures import memory_facts
from ..visit.service import engine
from ..visit.visit import Book
from .answers import PRIVATE, answered, result_of, wanted_in
from .threads import in_thread


def hook_routes() -> list[Route]:
    """The routes below one page of a book."""
    page = "/maps/{token:str}-{page:small}-{call:small}"
    return [
        Route(f"{page}.timeline.json", answered(_timeline)),
        Route(f"{page}.memory.json", answered(_memory)),
    ]


async def _timeline(request: Request, book: Book) -> Response:
    wanted = wanted_in(request, book)
    events = await result_of(engine().do(TimelineTask(wanted, book.photo), visitor=book.visitor))
    facts = await in_thread(book, hook_bar_facts, events, wanted.layer)
    return JSONResponse(facts, headers=PRIVATE)


async def _memory(request: Request, book: Book) -> Response:
    wanted = wanted_in(request, book)
    pictures = await result_of(engine().do(MemoryTask(wanted, book.photo), visitor=book.visitor))
    written = await result_of(engine().do(WrittenTask(wanted, book.photo), visitor=book.visitor))
    facts = await in_thread(book, memory_facts, pictures)
    return JSONResponse(facts | {"written": list(written)}, headers=PRIVATE)
