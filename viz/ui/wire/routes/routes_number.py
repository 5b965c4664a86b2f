"""Questions about one number, a block of them, taken apart, and about one channel and its weights."""

import base64
from dataclasses import replace

from starlette.routing import Route

from ....answers.layer import FilterFacts, KernelSizes
from ....answers.number import Arithmetic, Reading, Unexplained, Unread
from ....answers.views.units import UnitFacts
from ....number.breakdown_facts import breakdown_facts
from ....number.tasks import BreakdownTask, FilterTask
from ....readings.tasks import ReadingTask
from ....units.tasks import UnitTask
from ...locale.translated import in_each_language
from ..answers import PageQuery, question, wanted_in
from ..inspecting import page_colours
from ..questions import Block, Cell, OneLayer


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("cell.json", _cell, Cell),
        question("reading.json", _reading, Block),
        question("filter.json", _filter, OneLayer),
        question("unit.json", _unit, OneLayer),
    ]


async def _cell(asked: PageQuery[Cell]) -> Arithmetic | Unexplained:
    """One number, at the look's channel and ``y`` and ``x`` of the maps."""
    place = asked.look.channel or 0, asked.question.y, asked.question.x
    task = BreakdownTask(await wanted_in(asked), asked.subject.photo, place, channel=asked.question.source)
    return in_each_language(breakdown_facts(await asked.answer(task)))


async def _reading(asked: PageQuery[Block]) -> Reading | Unread:
    """A block of numbers of the look's channel, around ``y`` and ``x`` of its map."""
    said = asked.question
    at = None if said.y is None or said.x is None else (said.y, said.x)
    task = ReadingTask(await wanted_in(asked), asked.subject.photo, asked.look.channel or 0, at, said.source)
    return in_each_language((await asked.answer(task)).facts)


async def _filter(asked: PageQuery[OneLayer]) -> FilterFacts:
    """The weights that make the look's channel."""
    wanted = replace(await wanted_in(asked), colormap=page_colours(asked.question))
    found = await asked.answer(FilterTask(wanted, asked.subject.photo, asked.look.channel or 0))
    return FilterFacts(
        png=base64.b64encode(found.png).decode(),
        width=found.width,
        columns=found.columns,
        kernels=KernelSizes(*found.kernels),
        depth=found.depth,
        first=found.first,
        limit=found.limit,
        bias=found.bias,
    )


async def _unit(asked: PageQuery[OneLayer]) -> UnitFacts:
    """The look's channel: its weights, the channels that feed it and those that read it."""
    task = UnitTask(await wanted_in(asked), asked.subject.photo, asked.look.channel or 0)
    return (await asked.answer(task)).facts
