"""The one engine of this process, and its warm-up."""

import asyncio
import gc
import importlib
import logging
import os
import time
from concurrent.futures import wait
from dataclasses import replace
from functools import cache
from threading import Lock
from typing import Any

from streamlit import config, runtime

from ...catalogue import models
from ...engine.engine_protocol import Engine, SharedEngine, SharedStore, chosen
from ...engine.here import local_engine
from ...engine.limits import Limits
from ...engine.process import ProcessEngine, patience_from, processes_from
from ...engine.task import Task
from ...engine.watched import WatchedEngine
from ...errors import EngineClosedError
from ...pictures.own_donors import own_picture
from ...profile.cost import budget, values_kept
from ...views import work
from ...views.whole_model import Survey
from ..tally.counts import count_answer
from . import loaders
from .catalogue.tasks import Card, Needed
from .jobs.reading import reader
from .own_weights import find_weights
from .sharing import SharedVisits
from .tokens import keeper_name, secret_from
from .visit import GRACE_SECONDS, SESSION_SECONDS, end_abandoned_visits, share_with

DEFAULT_MODEL = models.own_model_name() or "efficientnet_lite0"
LOOK_SECONDS = 10.0
log = logging.getLogger(__name__)
_here: list[bool] = []  # whether models run in this process, whatever the operator's setting says
_MAKING = Lock()  # the warm-up, the watches and the first visitors ask for the engine while it is being made
AHEAD = ("all_layers", "explain", "hook_tasks", "live", "model_range", "names", "whole_model")
"""What a first visit asks for, as modules of ``viz.views.work``: an engine's process imports them ahead."""
LATER = ("torchvision.models", "timm")
"""Libraries of models that are slow to import; an engine's process does it once nobody waits."""


def run_models_here() -> None:
    """Run models in this process from now on, as notebooks must.

    Call it before there is an engine.
    """
    _here[:] = [True]


def engine() -> WatchedEngine:
    """Return the engine that this process's visitors share; tasks' outcomes are counted."""
    with _MAKING:
        return _watched_engine()


@cache
def _watched_engine() -> WatchedEngine:
    return WatchedEngine(_engine(), count_answer)


def _engine() -> Engine:
    """The engine that the operator wants.

    ``LAYERGLASS_DEVICE`` chooses the device; ``LAYERGLASS_ENGINE`` where models run: ``process`` is
    processes of their own, as usual on Linux, ``local`` this one, as usual elsewhere, and ``ray`` or
    ``ray://HOST:PORT`` a cluster.
    """
    device = os.environ.get("LAYERGLASS_DEVICE", "auto")
    limits = Limits(capture=budget().refuse, kept=values_kept(Limits.kept))
    choice = "local" if _here else chosen()
    if choice == "local":
        return local_engine(load_subject, device=device, limits=limits)
    return _in_processes(device, limits) if choice == "process" else _on_a_cluster(device)


def _in_processes(device: str, limits: Limits) -> Engine:
    return ProcessEngine(
        APART,
        device=device,
        limits=limits,
        hosts=processes_from(),
        patience=patience_from(),
        modules=[*(f"{work.__name__}.{name}" for name in AHEAD), f"{models.__name__}.catalogue"],
        later=LATER,
        holds=HOLDS,
    )


def _on_a_cluster(device: str) -> Engine:
    """Return an engine on a cluster, without limits of this machine."""
    ray = importlib.import_module("...engine.ray", __package__)  # whoever needs no cluster has no Ray
    engine: Engine = ray.RayEngine(
        APART,
        device=device,
        cluster=ray.cluster_from(),
        patience=replace(patience_from(), memory=None),
        holds=HOLDS,
    )
    return engine


def _parts(weights: str) -> loaders.Parts:
    return find_weights(weights).parts


load_subject = loaders.subject_loader(_parts)
HOLDS = {loaders.PICTURE: own_picture, loaders.WEIGHTS: _parts}
APART = f"{loaders.__name__}:{loaders.loader_apart.__name__}"


@cache
def sharing() -> SharedVisits | None:
    """Return the sharing of visits; None without a secret or cluster."""
    secret = secret_from()
    if secret is None or chosen() != "ray":
        return None

    def keeping() -> SharedStore:
        shared = engine().engine
        if not isinstance(shared, SharedEngine):
            raise TypeError(shared)
        return shared.keeping(keeper_name(secret))

    return SharedVisits(cache(keeping), secret, GRACE_SECONDS - SESSION_SECONDS + LOOK_SECONDS + _kept())


async def watch_visits() -> None:
    """End abandoned visits while the server runs, and share the others."""
    others = sharing()
    share_with(others)
    while True:
        if others:
            await asyncio.to_thread(others.tend)
        await asyncio.sleep(LOOK_SECONDS)
        if runtime.exists():
            end_abandoned_visits(runtime.get_instance().is_active_session, time.monotonic(), _kept())


def _kept() -> float:
    """Return the seconds for which Streamlit keeps a lost connection's session."""
    return float(config.get_option("server.disconnectedSessionTTL"))


def warm_up() -> None:
    """Start the reader, and load all that the first screen needs.

    All of it is exempt from garbage collection. Streamlit collects garbage after every script run, holding
    the interpreter; walking what was imported took most of a click's time before it was frozen. None is
    collected meanwhile either: in CPython 3.11, threads that parsed code then failed by each other's depths.
    """
    gc.disable()
    try:
        _load_first_screen()
    finally:
        gc.enable()
    gc.collect()
    gc.freeze()


def _load_first_screen() -> None:
    reader().start()
    tasks: tuple[Task[Any], ...] = (Survey(DEFAULT_MODEL, "pretrained"), Card(DEFAULT_MODEL), Needed())
    try:  # not by way of what counts: nobody waits for it
        asked = [engine().engine.do(task, visitor="warm-up") for task in tasks]
    except EngineClosedError:
        return  # the server was ended while it started
    wait(asked)
    for error in filter(None, (each.exception() for each in asked)):
        if not isinstance(error, EngineClosedError):  # the server was ended meanwhile
            log.warning("the first screen could not be prepared: %s", error)
