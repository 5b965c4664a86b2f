"""The page's client of the engine's catalogue, without models or PyTorch.

Constant facts are requested once. Errors of the catalogue come as they are raised there.
"""

import asyncio
import time
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from functools import cache
from threading import Lock
from typing import Any

from cachetools import TTLCache, cached
from cachetools.keys import hashkey

from ....catalogue import models
from ....engine.purse import NOBODY
from ....engine.task import Task
from ..own_weights import OwnWeights
from ..service import engine
from .tasks import Card, Compare, Fetch, Needed, Progress, Ready

CURRENT = 10.0  # seconds: somebody else may put a file of weights here, or take it away
MOST = 2_000  # models of which it is remembered whether they are ready: more than there are
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.25  # seconds between two looks at a download
_classes: dict[tuple[str, ...], tuple[str, ...]] = {}
_ready: TTLCache[Hashable, bool] = TTLCache(MOST, CURRENT)


def names() -> tuple[str, ...]:
    """Every model's name, in the order of the catalogue."""
    return tuple(needs())


@cached(TTLCache(1, CURRENT), lock=Lock())
def needs() -> Mapping[str, models.Needs]:
    """Return the needs of each model's trained weights, by its name."""
    found: Mapping[str, models.Needs] = _asked(Needed()).result()
    return found


@cache
def describe(name: str) -> models.ModelCard:
    """Return a model's card.

    Raises:
        UnknownModelError: no model has that name.
        OwnModelError: the operator's own model cannot be made.
    """
    card: models.ModelCard = _asked(Card(name)).result()
    return replace(card, classes=_classes.setdefault(card.classes, card.classes))  # hundreds share ImageNet's


@cached(_ready, lock=Lock())
def is_ready(name: str) -> bool:
    """Return whether a model's trained weights can be loaded without a download."""
    return bool(_asked(Ready(name)).result())


def compare(name: str, own: OwnWeights) -> models.own.WeightsReport:
    """Return the report on a visitor's weights in a model.

    Its time is charged to the visitor who brought them.
    """
    report: models.own.WeightsReport = _asked(Compare(name, own.id, own.table), own.visitor).result()
    return report


def download(name: str, progress: Callable[[int, int], object]) -> None:
    """Make a model's trained weights ready, with a download if needed.

    ``progress`` is called with (bytes done, bytes in all).

    Raises:
        WeightsUnavailableError: there are none, or they cannot be fetched now.
        WeightsDamagedError: what came is not the file that was asked for.
    """
    pause = _FIRST_PAUSE
    while (found := _asked(Fetch(name)).result()) is not None:
        progress(*found)
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
    _is_here(name)


async def fetched(name: str, patience: float) -> Progress | None:
    """Return a download's progress; None once the weights are here.

    It waits for ``patience`` seconds at most.

    Raises:
        WeightsUnavailableError: there are none, or they cannot be fetched now.
        WeightsDamagedError: what came is not the file that was asked for.
    """
    until, pause = time.monotonic() + patience, _FIRST_PAUSE
    while True:
        found: Progress | None = await asyncio.shield(asyncio.wrap_future(_asked(Fetch(name))))
        if found is None:
            _is_here(name)
        if found is None or time.monotonic() + pause > until:
            return found
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def forget() -> None:
    """Ask everything again from now on."""
    for each in (needs, describe, is_ready):
        each.cache_clear()


def _is_here(name: str) -> None:
    """Forget that a model's weights were to be downloaded."""
    if _ready.get(hashkey(name)) is False:
        is_ready.cache_clear()
        needs.cache_clear()


def _asked(task: Task[Any], visitor: str = NOBODY) -> "Future[Any]":
    """Ask the engine; facts that all visitors share cost nobody."""
    return engine().do(task, visitor=visitor)
