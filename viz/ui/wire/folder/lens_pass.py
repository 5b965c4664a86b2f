"""The lens on a folder, layer by layer: what is found so far is there for all who ask."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from ....answers.folders.lens import LensFacts
from ....lens.capture import Capture
from ....lens.labels import Labels
from ....lens.told import LayerFound, WholeFound, lens_facts

Apart = Callable[..., Coroutine[Any, Any, Any]]
"""Calls the function of a name, such as ``"room.module:function"``, where that holds up nobody."""
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
    chance=None,
)


class LensPass:
    """What is being found of a folder; whoever begins it may leave, and it goes on.

    Args:
        given: fetches the numbers and the classes.
        apart: where the work is done: a short piece for each layer, so that others get their turns.
        pictures: how many the folder has.
    """

    def __init__(
        self, given: Callable[[], Coroutine[Any, Any, tuple[Capture, Labels]]], apart: Apart, pictures: int
    ) -> None:
        self.facts = NOTHING
        self._given, self._apart, self._pictures = given, apart, pictures
        self.task = asyncio.create_task(self._run())

    async def soon(self, seconds: float) -> LensFacts:
        """What is found once all of it is, or so many seconds from now.

        Raises:
            Exception: what made it fail.
        """
        done, _ = await asyncio.wait([self.task], timeout=seconds)
        if done:
            self.task.result()
        return self.facts

    async def _run(self) -> None:
        capture, labels = await self._given()
        layers: list[LayerFound] = []
        self._tell(capture, labels, layers, None)
        for number in range(len(capture.calls)):
            layers.append(await self._apart("lens.facts:layer_found", capture.only(number), labels))
            self._tell(capture, labels, layers, None)
        scores = [each.scores for each in layers if each.scores is not None]
        whole = await self._apart("lens.facts:whole_found", capture, labels, scores)
        self._tell(capture, labels, layers, whole)

    def _tell(
        self, capture: Capture, labels: Labels, layers: Sequence[LayerFound], whole: WholeFound | None
    ) -> None:
        self.facts = lens_facts(labels, self._pictures, len(capture.calls), layers, whole)
