"""Answers to questions about the catalogue, in the process that has it."""

from collections.abc import Callable
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, cast

from ....catalogue import models
from ....engine.task import Bench
from .fetching import fetched
from .tasks import Card, Compare, Fetch, Needed, Progress, Ready


@dataclass(frozen=True)
class DescribedPreparation:
    """An operator's own preprocessing, as known in processes without its code.

    Attributes:
        said: its steps in words.
        window: the part of a picture that the model sees; None where that cannot be known.
    """

    said: str
    window: Callable[[tuple[int, int]], Any] | None = None

    def describe(self) -> str:
        """Return the steps as one line of words."""
        return self.said

    def __reduce__(self) -> tuple[Any, ...]:
        """Only the words go to another process."""
        return DescribedPreparation, (self.said,)


def needed(_: Needed, __: Bench) -> dict[str, models.Needs]:
    """See ``Needed``."""
    return models.needs()


def card(task: Card, _: Bench) -> models.ModelCard:
    """See ``Card``; the answer has no code of the operator's.

    Raises:
        ModelError: no model has that name, or the operator's own cannot be made.
    """
    found = models.describe(task.name)
    preparation: Any = found.preprocessing
    ours = type(preparation).__module__.startswith(f"{models.__name__}.")
    if ours and is_dataclass(preparation):  # else it may hold a function of the operator's
        return found
    described = DescribedPreparation(preparation.describe(), getattr(preparation, "window", None))
    return replace(found, preprocessing=cast("Any", described))


def is_ready(task: Ready, _: Bench) -> bool:
    """See ``Ready``."""
    return models.is_ready(task.name)


def fetch(task: Fetch, _: Bench) -> Progress | None:
    """See ``Fetch``.

    Raises:
        ModelError: there are no trained weights, or the download failed; the next question begins another.
    """
    return fetched(task.name)


def compare(task: Compare, _: Bench) -> models.own.WeightsReport:
    """See ``Compare``."""
    return models.own.compare(task.name, models.own.outlines(task.table))
