"""The one engine of this process, fed from the catalogue, and its warm-up."""

import asyncio
import gc
import logging
import os
import time
from functools import cache

from streamlit import runtime

from ...catalogue import models
from ...engine.engine import LocalEngine
from ...engine.limits import Limits, check_cost
from ...errors import VizError
from ...pictures.subject import Subject
from ...profile.cost import budget, free_memory, model_cost
from ...views.whole_model import Survey
from .own_weights import find_weights, is_own_weights
from .reading import reader
from .visit import end_abandoned_visits

DEFAULT_MODEL = models.own_model_name() or "efficientnet_lite0"
LOOK_SECONDS = 10.0
SHARE_KEPT = 4  # a quarter of what is free at first: a class's layers take more than a gibibyte
log = logging.getLogger(__name__)


@cache
def engine() -> LocalEngine:
    """The engine that every visitor of this process shares. ``LAYERGLASS_DEVICE`` chooses the device."""
    limits = Limits(capture=budget().refuse, values=max(Limits.values, free_memory() // SHARE_KEPT))
    return LocalEngine(load_subject, device=os.environ.get("LAYERGLASS_DEVICE", "auto"), limits=limits)


def load_subject(model: str, weights: str) -> Subject:
    """A catalogue model as the engine wants it, with a visitor's own weights if those are asked for.

    Raises:
        TooLargeError: it would take more memory than a request may.
    """
    card = models.describe(model)
    check_cost(model, model_cost(card.parameters), Limits(capture=budget().refuse))
    if is_own_weights(weights):
        module = models.own.load_with(model, find_weights(weights).state, partial=True)
    else:
        module = models.load(model, weights=weights)
    return Subject(module, card.preprocessing, card.preprocessing.as_seen, card.classes)


async def watch_visits() -> None:
    """End abandoned visits, for as long as the server runs."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if runtime.exists():
            end_abandoned_visits(runtime.get_instance().is_active_session, time.monotonic())


def warm_up() -> None:
    """Start the reader and load what the first screen needs, all of it exempt from garbage collection.

    Streamlit collects garbage after every script run, holding the interpreter; walking PyTorch's objects
    took most of a click's time before they were frozen. What was imported is frozen first, unwalked:
    little of it is garbage, and walking it once takes a third of a second.
    """
    gc.freeze()
    reader().start()
    try:
        engine().do(Survey(DEFAULT_MODEL, "pretrained"), visitor="warm-up").result()
    except (VizError, models.ModelError) as error:
        log.warning("the first model could not be loaded ahead of time: %s", error)
    models.needs()  # for the model box
    gc.collect()
    gc.freeze()
