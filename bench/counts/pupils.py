"""Thirty picks of a class at one model, counted in passes.

The budget holds all values once.
"""

import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from bench.counts.nets import TOLD
from tests.machine import patience
from viz.engine.engine_state import CacheState
from viz.engine.limits import Limits
from viz.engine.process import ProcessEngine
from viz.pictures.photo import Photo, photograph
from viz.request.inspection import Inspection
from viz.views.one_layer import Values

PUPILS, ROUNDS, HOSTS = 10, 3, 4
ROOM = PUPILS + 2  # photos whose values fit into the budget: all, but not a quarter of it
SHARED = 15.0  # seconds in which the budget must have come to the one process that needs it


def passes_of_a_class() -> int:
    """Return the passes that thirty picks of ten pupils take.

    Each pupil has a photo of their own; the model runs in processes apart.
    """
    with tempfile.TemporaryDirectory() as home:
        told = Path(home) / "passes"
        os.environ[TOLD] = str(told)
        size = _size()
        engine = _engine(size * ROOM)
        try:
            _wait_for_the_budget(engine, size * (ROOM - 1))
            before = told.stat().st_size
            for _ in range(ROUNDS):
                for pupil in range(PUPILS):
                    engine.do(_pick(pupil), visitor=f"pupil {pupil}").result()
            return told.stat().st_size - before
        finally:
            engine.close()
            del os.environ[TOLD]


def _size() -> int:
    """Bytes of the values of one photo."""
    engine = _engine(Limits().kept)
    try:
        return engine.do(_pick(0), visitor="teacher").result().bytes
    finally:
        engine.close()


def _engine(kept: int) -> ProcessEngine:
    limits = replace(Limits(), kept=kept)
    modules = ("viz.views.one_layer", "viz.views.whole_model")
    return ProcessEngine(
        "bench.counts.nets:loader", device="cpu", limits=limits, hosts=HOSTS, modules=modules
    )


def _pick(pupil: int) -> Values:
    photo = _photo(pupil)
    return Values(Inspection(photo.fingerprint, "net", "random", "maps"), photo)


def _photo(seed: int) -> Photo:
    noise = np.random.default_rng(seed).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    return photograph(Image.fromarray(noise))


def _wait_for_the_budget(engine: ProcessEngine, enough: int) -> None:
    """Request one photo until the budget is enough or time is up."""
    until = time.monotonic() + patience(SHARED)
    engine.do(_pick(PUPILS), visitor="teacher").result()
    while _values(engine).limit < enough and time.monotonic() < until:
        engine.do(_pick(PUPILS), visitor="teacher").result()
        time.sleep(0.1)


def _values(engine: ProcessEngine) -> CacheState:
    [process] = engine.state().processes
    return next(each for each in process.caches if each.cache == "values")
