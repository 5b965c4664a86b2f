"""The lens on a folder: a short piece of work per layer.

Others get their turns between two pieces.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from ....answers.folders.lens import LensFacts
from ....errors import RateError
from ....lens.capture import Capture
from ....lens.labels import Labels
from ....lens.told import LayerFindings, lens_facts
from .found_once import Tell

Given = Callable[[], Coroutine[Any, Any, tuple[Capture, Labels]]]
"""Fetches the numbers and the classes."""
Apart = Callable[..., Coroutine[Any, Any, Any]]
"""Calls the function of a name, such as ``"room.module:function"``, where that holds up nobody."""
PAUSE = 1.0  # seconds before work is asked for again that others go before
NOTHING = LensFacts(
    pictures=0,
    used=0,
    calls=0,
    complete=False,
    unlabelled=0,
    held_out=0,
    classes=(),
    layers=(),
    similarity=(),
    sample=None,
    others=(),
    chance=None,
)


async def look_through(given: Given, apart: Apart, pictures: int, tell: Tell[LensFacts]) -> LensFacts:
    """Return the lens's facts of a folder; ``tell`` receives those so far."""
    capture, labels = await given()
    count = len(capture.calls)
    layers: list[LayerFindings] = []
    tell(lens_facts(labels, pictures, count, layers, None))
    alike, by = await _in_time(apart, "lens.facts:grouped", capture.signature(), labels)
    for number in range(count):
        layers.append(
            await _in_time(apart, "lens.facts:layer_found", capture.only(number), labels, alike, by)
        )
        tell(lens_facts(labels, pictures, count, layers, None))
    scores = [each.scores for each in layers if each.scores is not None]
    whole = await _in_time(apart, "lens.facts:whole_found", capture, labels, scores)
    return lens_facts(labels, pictures, count, layers, whole)


async def _in_time(apart: Apart, function: str, *given: Any) -> Any:
    """Return a function's result, waiting for as long as others go first."""
    while True:
        try:
            return await apart(function, *given)
        except RateError:
            await asyncio.sleep(PAUSE)
