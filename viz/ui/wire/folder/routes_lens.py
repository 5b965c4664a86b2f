"""The data-set lens: which channels and layers tell the classes of a folder apart."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from cachetools import LRUCache
from msgspec.structs import replace
from starlette.routing import Route

from ....answers.folders.lens import LensFacts, LensLayerFacts
from ....lens.capture import Call, Capture, innermost
from ....lens.labels import Labels, labels_for
from ...folders.sources import ServedFolder
from ...folders.store import Store
from ..answers import Asked, question
from ..threads import in_thread
from .finding import Folder, needed_folder
from .lens_pass import NOTHING, LensPass
from .routes_folder import OfFolder

MOST_BYTES = 128_000_000
"""Of a model's numbers that are looked at; of more of them, pictures drawn at random."""
LEAST_PICTURES = 4
PATIENCE = 0.5  # seconds until it is said what is found so far
_SEED = 0
_ROOM = 64  # answers that are kept for all visitors
_kept: LRUCache[tuple[object, ...], Any] = LRUCache(_ROOM)
_under_way: dict[tuple[object, ...], "asyncio.Task[Any]"] = {}
_passes: dict[tuple[object, ...], LensPass] = {}


def lens_routes() -> list[Route]:
    """Their routes."""
    return [
        question("lens.json", _lens, OfFolder, kept=False),
        question("lens-layer.json", _layer, OfFolder, kept=False),
    ]


async def _lens(asked: Asked[OfFolder]) -> LensFacts:
    """What is found so far; of a folder of which too little has been looked at, nothing."""
    found = await needed_folder(asked, asked.question.source)
    store = found.store
    calls, count = _calls(store), len(store.pictures)
    inside = [calls[number] for number in innermost(calls)]

    async def given() -> tuple[Capture, Labels]:
        return await in_thread(asked.subject, _given, found, inside)

    if count < LEAST_PICTURES:
        return replace(NOTHING, pictures=count, complete=True)
    key = str(store.folder), count
    known: LensFacts | None = _kept.get(key)
    if known is None:
        running = _passes.get(key) or _begun(key, LensPass(given, asked.apart, count))
        known = await running.soon(PATIENCE)
    return known


def _begun(key: tuple[object, ...], running: LensPass) -> LensPass:
    """Let all who ask find a pass, and behind it what it found."""

    def ended(task: "asyncio.Task[None]") -> None:
        _passes.pop(key, None)
        if not task.cancelled() and task.exception() is None:
            _kept[key] = running.facts

    _passes[key] = running
    running.task.add_done_callback(ended)
    return running


async def _layer(asked: Asked[OfFolder]) -> LensLayerFacts:
    """Of a layer that was not looked at, there are no channels."""
    found, look = await needed_folder(asked, asked.question.source), asked.look
    store = found.store
    calls = [each for each in _calls(store) if (each.layer, each.call) == (look.layer, look.call)]

    async def answer() -> LensLayerFacts:
        capture, labels = await in_thread(asked.subject, _given, found, calls)
        told: LensLayerFacts = await asked.apart("lens.facts:layer_facts", capture, labels)
        return told

    if not calls or len(store.pictures) < LEAST_PICTURES:
        return LensLayerFacts(classes=(), channels=(), groups=())
    return await _once((str(store.folder), len(store.pictures), look.layer, look.call), answer)


async def _once(
    key: tuple[object, ...], answer: Callable[[], Coroutine[Any, Any, LensLayerFacts]]
) -> LensLayerFacts:
    """An answer that is found once for all who ask, also at the same moment, and also if they leave."""
    known: LensLayerFacts | None = _kept.get(key)
    if known is not None:
        return known

    async def keep() -> LensLayerFacts:
        _kept[key] = found = await answer()
        return found

    task = _under_way.get(key)
    if task is None:
        task = _under_way[key] = asyncio.create_task(keep())
        task.add_done_callback(lambda _: _under_way.pop(key, None))
    found: LensLayerFacts = await asyncio.shield(task)
    return found


def _calls(store: Store) -> list[Call]:
    return [Call(each.layer, "", each.call, each.channels) for each in store.calls]


def _given(found: Folder, calls: Sequence[Call]) -> tuple[Capture, Labels]:
    """The numbers of some calls on as many pictures as there is room for, and these pictures' classes."""
    store = found.store
    count = len(store.pictures)
    most = max(LEAST_PICTURES, MOST_BYTES // (8 * sum(each.channels for each in calls)))
    rows = np.arange(count)
    if most < count:
        rows = np.sort(np.random.default_rng(_SEED).permutation(count)[:most])
    blocks = [block for each in calls if (block := store.block(each.layer, each.call)) is not None]
    maximum, mean = (
        np.concatenate([values[rows] for values in parts], axis=1)
        for parts in zip(*((block.maximum, block.mean) for block in blocks), strict=True)
    )
    titles = tuple(found.source.title(store.pictures[row].name) for row in rows)
    labels = labels_for(titles, _labels_folder(found))
    return Capture(str(store.folder), titles, tuple(calls), maximum, mean), labels


def _labels_folder(found: Folder) -> Path:
    """Where a file of labels would lie: in the capture, or beside the server's pictures."""
    if found.captured is not None:
        return found.captured.out
    return found.source.root if isinstance(found.source, ServedFolder) else found.store.folder
