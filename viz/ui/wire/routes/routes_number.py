"""Questions about one number, taken apart, and about the weights that make one channel."""

import base64
from dataclasses import asdict

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ....number.breakdown_facts import breakdown_facts
from ....number.tasks import BreakdownTask, FilterTask
from ...locale.translated import in_each_language
from ..answers import PRIVATE, Asked, question, wanted_in
from ..questions import Cell, OneLayer


def number_routes() -> list[Route]:
    """Their routes."""
    return [question("cell.json", _cell, Cell), question("filter.json", _filter, OneLayer)]


async def _cell(asked: Asked[Cell]) -> Response:
    """One number, at the look's channel and ``y`` and ``x`` of the maps."""
    place = asked.look.channel or 0, asked.question.y, asked.question.x
    task = BreakdownTask(await wanted_in(asked), asked.subject.photo, place, channel=asked.question.source)
    facts = breakdown_facts(await asked.answer(task))
    return JSONResponse(in_each_language(facts), headers=PRIVATE)


async def _filter(asked: Asked[OneLayer]) -> Response:
    """The weights that make the look's channel."""
    wanted = await wanted_in(asked)
    found = await asked.answer(FilterTask(wanted, asked.subject.photo, asked.look.channel or 0))
    png = base64.b64encode(found.png).decode()
    return JSONResponse(asdict(found) | {"png": png}, headers=PRIVATE)
