"""Routes about a number or block, taken apart, and a channel."""

import base64
from dataclasses import replace

from starlette.routing import Route

from ....answers.layer import FilterFacts, KernelSizes
from ....answers.number import Arithmetic, Reading, UnexplainedNumber, UnexplainedReading
from ....answers.views.units import UnitFacts
from ....number.breakdown_facts import breakdown_facts
from ....number.tasks import BreakdownTask, FilterTask
from ....readings.tasks import ReadingTask
from ....units.tasks import UnitTask
from ...locale.translated import in_each_language
from ..answers import PageQuery, question, wanted_in
from ..inspecting import page_colours
from ..questions import BlockQuestion, CellQuestion, LayerQuestion


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("cell.json", _cell, CellQuestion),
        question("reading.json", _reading, BlockQuestion),
        question("filter.json", _filter, LayerQuestion),
        question("unit.json", _unit, LayerQuestion),
    ]


async def _cell(asked: PageQuery[CellQuestion]) -> Arithmetic | UnexplainedNumber:
    """Return one number's arithmetic, at ``y`` and ``x`` of the channel."""
    place = asked.look.channel or 0, asked.question.y, asked.question.x
    task = BreakdownTask(await wanted_in(asked), asked.subject.photo, place, channel=asked.question.source)
    return in_each_language(breakdown_facts(await asked.answer(task)))


async def _reading(asked: PageQuery[BlockQuestion]) -> Reading | UnexplainedReading:
    """Return a block of the look's channel around ``y`` and ``x``."""
    said = asked.question
    at = None if said.y is None or said.x is None else (said.y, said.x)
    task = ReadingTask(await wanted_in(asked), asked.subject.photo, asked.look.channel or 0, at, said.source)
    return in_each_language((await asked.answer(task)).facts)


async def _filter(asked: PageQuery[LayerQuestion]) -> FilterFacts:
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


async def _unit(asked: PageQuery[LayerQuestion]) -> UnitFacts:
    """Return the look's channel: its weights, its inputs and its readers."""
    task = UnitTask(await wanted_in(asked), asked.subject.photo, asked.look.channel or 0)
    return (await asked.answer(task)).facts
