"""The one engine of this process, fed from the catalogue, and its warm-up."""

import asyncio
import gc
import logging
import os
import time
from functools import cache

from streamlit import runtime

import models
from viz.engine import LocalEngine
from viz.errors import VizError
from viz.subject import Subject
from viz.ui.visit import end_abandoned_visits

DEFAULT_MODEL = "photonet"
LOOK_SECONDS = 10.0
log = logging.getLogger(__name__)


@cache
def engine() -> LocalEngine:
    """The engine that every visitor of this process shares. ``LAYERGLASS_DEVICE`` chooses the device."""
    return LocalEngine(load_subject, device=os.environ.get("LAYERGLASS_DEVICE", "auto"))


def load_subject(model: str, weights: str) -> Subject:
    """A catalogue model as the engine wants it."""
    card = models.describe(model)
    module = models.load(model, weights=weights)
    return Subject(module, card.preprocessing, card.preprocessing.as_seen, card.classes)


async def watch_visits() -> None:
    """End visits that were left, for as long as the server runs."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if runtime.exists():
            end_abandoned_visits(runtime.get_instance().is_active_session, time.monotonic())


def warm_up() -> None:
    """Load what the first screen needs, then take it out of the garbage collector's sight.

    Streamlit collects garbage after every script run, holding the interpreter; walking PyTorch's objects
    took most of a click's time before they were frozen.
    """
    try:
        engine().survey(DEFAULT_MODEL, "pretrained", visitor="warm-up").result()
    except (VizError, models.ModelError) as error:
        log.warning("the first model could not be loaded ahead of time: %s", error)
    gc.collect()
    gc.freeze()
