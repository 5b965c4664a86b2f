"""The data-set lens: which channels and layers tell the classes of a folder apart."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from cachetools import LRUCache
from starlette.routing import Route

from ....answers.lens import LensFacts, LensLayerFacts
from ....errors import RequestError
from ....lens.capture import Call, Capture, innermost
from ....lens.labels import Labels, labels_for
from ...folders.sources import ServedFolder
from ...folders.store import Store
from ..answers import Asked, question
from ..threads import in_thread
from .finding import Folder, needed_folder
from .routes_folder import OfFolder

MOST_BYTES = 128_000_000
"""Of a model's numbers that are looked at; of more of them, pictures drawn at random."""
LEAST_PICTURES = 4
_SEED = 0
_ROOM = 64  # answers that are kept for all visitors
_Kind = TypeVar("_Kind", LensFacts, LensLayerFacts)
_kept: LRUCache[tuple[object, ...], "asyncio.Task[Any]"] = LRUCache(_ROOM)


def lens_routes() -> list[Route]:
    """Their routes."""
    return [
        question("lens.json", _lens, OfFolder, kept=False),
        question("lens-layer.json", _layer, OfFolder, kept=False),
    ]


async def _lens(asked: Asked[OfFolder]) -> LensFacts:
    found = await _looked_at(asked)
    store = found.store
    calls = _calls(store)
    inside = [calls[number] for number in innermost(calls)]

    async def answer() -> LensFacts:
        capture, labels = await in_thread(asked.subject, _given, found, inside)
        told: LensFacts = await asked.apart("lens.facts:lens_facts", capture, labels, len(store.pictures))
        return told

    return await _once((str(store.folder), len(store.pictures)), answer)


async def _layer(asked: Asked[OfFolder]) -> LensLayerFacts:
    found, look = await _looked_at(asked), asked.look
    store = found.store
    calls = [each for each in _calls(store) if (each.layer, each.call) == (look.layer, look.call)]
    if not calls:
        raise RequestError(
            "{layer} has no channels of rows and columns, so it was not looked at: choose another layer",
            layer=look.layer,
        )

    async def answer() -> LensLayerFacts:
        capture, labels = await in_thread(asked.subject, _given, found, calls)
        told: LensLayerFacts = await asked.apart("lens.facts:layer_facts", capture, labels)
        return told

    return await _once((str(store.folder), len(store.pictures), look.layer, look.call), answer)


async def _looked_at(asked: Asked[OfFolder]) -> Folder:
    """The folder, once enough of its pictures have been looked at.

    Raises:
        RequestError: they have not.
    """
    found = await needed_folder(asked, asked.question.source)
    if len(found.store.pictures) < LEAST_PICTURES:
        raise RequestError("the model has to look through the folder first: it has seen too few pictures")
    return found


async def _once(key: tuple[object, ...], answer: Callable[[], Coroutine[Any, Any, _Kind]]) -> _Kind:
    """An answer that is found once for all who ask, also at the same moment."""
    task = _kept.get(key)
    if task is None or (task.done() and (task.cancelled() or task.exception())):
        task = _kept[key] = asyncio.create_task(answer())
    found: _Kind = await asyncio.shield(task)
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
