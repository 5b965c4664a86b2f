"""The one engine of this process, fed from the catalogue, and its warm-up."""

import asyncio
import gc
import importlib
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from streamlit import runtime

from ...catalogue import models
from ...engine.engine import LocalEngine
from ...engine.engine_protocol import CHOICE, Engine
from ...engine.limits import Limits
from ...engine.process import ProcessEngine, patience_from, processes_from
from ...errors import VizError
from ...pictures.own_donors import own_picture
from ...profile.cost import budget, free_memory
from ...views import all_layers, comparison, hook_tasks, live, one_layer, whole_model
from ...views.classes import explain
from ...views.whole_model import Survey
from . import loaders
from .own_weights import find_weights
from .reading import reader
from .visit import end_abandoned_visits

DEFAULT_MODEL = models.own_model_name() or "efficientnet_lite0"
LOOK_SECONDS = 10.0
SHARE_KEPT = 4  # a quarter of what is free at first: a class's layers take more than a gibibyte
log = logging.getLogger(__name__)
TASKS = (one_layer, all_layers, whole_model, comparison, explain, hook_tasks, live)
"""Where the tasks are that a first visit asks for: an engine's process imports them ahead."""


@cache
def engine() -> Engine:
    """The engine that every visitor of this process shares.

    ``LAYERGLASS_DEVICE`` chooses the device; ``LAYERGLASS_ENGINE`` where models run: ``process`` in processes
    of their own, ``ray`` or ``ray://HOST:PORT`` on a cluster, else in this process.
    """
    device = os.environ.get("LAYERGLASS_DEVICE", "auto")
    limits = Limits(capture=budget().refuse, values=max(Limits.values, free_memory() // SHARE_KEPT))
    choice, _, _ = os.environ.get(CHOICE, "").partition("://")
    if choice not in ("process", "ray"):
        return LocalEngine(load_subject, device=device, limits=limits)
    return _in_processes(device, limits) if choice == "process" else _on_a_cluster(device)


def _in_processes(device: str, limits: Limits) -> Engine:
    return ProcessEngine(
        APART,
        device=device,
        limits=limits,
        hosts=processes_from(),
        patience=patience_from(),
        modules=[each.__name__ for each in TASKS],
        holds=HOLDS,
    )


def _on_a_cluster(device: str) -> Engine:
    """An engine whose limits say nothing of this machine: replicas run on others, and servers share them."""
    ray = importlib.import_module("...engine.ray", __package__)  # whoever needs no cluster has no Ray
    engine: Engine = ray.RayEngine(
        APART,
        device=device,
        cluster=ray.cluster_from(),
        patience=replace(patience_from(), memory=None),
        holds=HOLDS,
    )
    return engine


def _state(weights: str) -> Mapping[str, Any]:
    return find_weights(weights).state


load_subject = loaders.subject_loader(_state)
HOLDS = {loaders.PICTURE: own_picture, loaders.WEIGHTS: _state}
APART = f"{loaders.__name__}:{loaders.loader_apart.__name__}"


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
