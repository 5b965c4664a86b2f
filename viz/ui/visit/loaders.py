"""Loaders of an engine's models, from the catalogue or visitors' weights."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...catalogue import models
from ...engine.limits import Limits, check_cost
from ...engine.process.messages import Ask
from ...pictures.own_donors import look_elsewhere
from ...pictures.subject import Loader, Subject
from ...profile.cost import budget, model_cost
from .own_weights import is_own_weights

PICTURE, WEIGHTS = "picture", "weights"  # what only the page's process has


Parts = tuple[NDArray[np.uint8], models.own.StateTable]
"""A visitor's file of weights: its bytes, and which of them are which tensor."""


def subject_loader(parts_of: Callable[[str], Parts]) -> Loader:
    """Return a loader of models; ``parts_of`` finds visitors' weights by id."""
    return partial(_load, parts_of)


def loader_apart(ask: Ask) -> Loader:
    """Return another process's loader, which requests visitors' files from the page."""
    look_elsewhere(partial(ask, PICTURE))
    return subject_loader(partial(ask, WEIGHTS))


def _load(parts_of: Callable[[str], Parts], model: str, weights: str) -> Subject:
    """A model as the engine wants it.

    Raises:
        TooLargeError: it would take more memory than a request may.
    """
    card = models.describe(model)
    check_cost(model, model_cost(card.parameters), Limits(capture=budget().refuse))
    not_given: tuple[str, ...] = ()
    if is_own_weights(weights):
        data, table = parts_of(weights)
        report = models.own.compare(model, models.own.outlines(table))
        state = models.own.tensors(data.data, table.only(set(report.names)))
        module = models.own.load_with(model, state, partial=True)
        not_given = (*report.missing, *(each.name for each in report.misshapen))
    else:
        module = models.load(model, weights=weights)
    return Subject(
        module, card.preprocessing, card.preprocessing.as_seen, card.classes, card.output, not_given
    )
