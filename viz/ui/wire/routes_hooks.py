"""Addresses of what hooks show about a pass: its timeline, and what is left of a layer's value in memory."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...views.hook_bars import hook_bar_facts
from ...views.hook_tasks import MemoryTask, TimelineTask, WrittenTask
from ...views.memory_pictures import memory_facts
from ..visit.service import engine
from ..visit.visit import MapSet
from .answers import PRIVATE, answered, wanted_in
from .threads import in_thread, result_of


def hook_routes() -> list[Route]:
    """The routes below one layer of a map set."""
    layer = "/maps/{token:str}-{layer:small}-{call:small}"
    return [
        Route(f"{layer}.timeline.json", answered(_timeline)),
        Route(f"{layer}.memory.json", answered(_memory)),
    ]


async def _timeline(request: Request, map_set: MapSet) -> Response:
    wanted = wanted_in(request, map_set)
    events = await result_of(engine().do(TimelineTask(wanted, map_set.photo), visitor=map_set.visitor))
    facts = await in_thread(map_set, hook_bar_facts, events, wanted.layer)
    return JSONResponse(facts, headers=PRIVATE)


async def _memory(request: Request, map_set: MapSet) -> Response:
    wanted = wanted_in(request, map_set)
    pictures = await result_of(engine().do(MemoryTask(wanted, map_set.photo), visitor=map_set.visitor))
    written = await result_of(engine().do(WrittenTask(wanted, map_set.photo), visitor=map_set.visitor))
    facts = await in_thread(map_set, memory_facts, pictures)
    return JSONResponse(facts | {"written": list(written)}, headers=PRIVATE)
