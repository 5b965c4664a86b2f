"""Routes about hooks: a pass's timeline, and a layer's memory."""

from dataclasses import replace
from functools import partial

from starlette.routing import Route

from ....answers.hooks import MemoryFacts, TimelineFacts
from ....views.hook_bars import hook_bar_facts
from ....views.hook_tasks import MemoryTask, TimelineTask, WrittenTask
from ....views.memory_pictures import memory_facts
from ..answers import PageQuery, question, wanted_in
from ..inspecting import page_colours
from ..questions import LayerQuestion
from ..threads import in_thread


def questions() -> list[Route]:
    """Their routes."""
    return [
        question("timeline.json", _timeline, LayerQuestion),
        question("memory.json", _memory, LayerQuestion),
    ]


async def _timeline(asked: PageQuery[LayerQuestion]) -> TimelineFacts:
    wanted = await wanted_in(asked)
    events = await asked.answer(TimelineTask(wanted, asked.subject.photo))
    drawn = partial(hook_bar_facts, events, wanted.layer, target=wanted.gradient)
    return await in_thread(asked.subject, drawn)


async def _memory(asked: PageQuery[LayerQuestion]) -> MemoryFacts:
    wanted = replace(await wanted_in(asked), colormap=page_colours(asked.question))
    pictures = await asked.answer(MemoryTask(wanted, asked.subject.photo))
    written = await asked.answer(WrittenTask(wanted, asked.subject.photo))
    return await in_thread(asked.subject, memory_facts, pictures, written)
