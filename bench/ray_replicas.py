"""Two replicas of Ray Serve beside one: throughput and answer times.

``python bench/ray_replicas.py`` asks the same mixed stream of every deployment: visitors with pictures
of their own flip through layers of models, and each asks again as soon as it has its answer. It also writes
``bench/ray_measured.json``, by which ``bench/simulation.py`` is calibrated.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import ray
import torch
from PIL import Image
from ray import serve
from ray.serve._private.constants import DEFAULT_REQUEST_ROUTER_PATH

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.engine.engine import Engine, LocalEngine
from viz.engine.limits import Limits
from viz.engine.ray import Cluster, RayEngine, cluster
from viz.engine.ray.seat import Seat
from viz.engine.ray.words import Letter, Reply
from viz.engine.task import Task
from viz.pictures.photo import Photo, photograph
from viz.pictures.subject import Loader, Subject
from viz.request.inspection import Inspection
from viz.ui.visit import loaders
from viz.views.one_layer import View
from viz.views.whole_model import Survey

MODELS = ("resnet18", "resnet34", "mobilenet_v2", "squeezenet1_1", "shufflenet_v2_x1_0", "efficientnet_b0")
MEASURED = Path(__file__).with_name("ray_measured.json")
LOADS = "LAYERGLASS_BENCH_LOADS"
PLACE = "bench.ray_replicas:loader"
CALM = 15.0  # seconds, in which Serve has told everybody which replica has which model
SCARCE = Limits(
    models=110_000_000
)  # bytes: about half of all models; plenty of room is what limits usually are
SIDE, WAIT = 256, 300


def loader(ask: Any) -> Loader:
    """The usual loader, which also notes each load with its seconds."""
    load = loaders.loader_apart(ask)

    def noted(model: str, weights: str) -> Subject:
        begin = time.perf_counter()
        found = load(model, weights)
        with Path(os.environ[LOADS]).open("a", encoding="utf-8") as file:
            file.write(f"{model} {time.perf_counter() - begin}\n")
        return found

    return noted


def picture(seed: int) -> Photo:
    """A picture of noise."""
    noise = np.random.default_rng(seed).integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)
    return photograph(Image.fromarray(noise))


@dataclass(frozen=True)
class Stream:
    """Requests of visitors, each with their own pictures and layers.

    ``first`` is the seed of the first visitor.
    """

    layers: dict[str, tuple[str, ...]]
    visitors: int
    tasks: int
    first: int = 0
    models: tuple[str, ...] = MODELS

    def of(self, visitor: int) -> Iterator[View]:
        """Yield one visitor's requests."""
        chance, photo = random.Random(self.first + visitor), picture(self.first + visitor)  # noqa: S311  (no secret)
        for number in range(self.tasks // self.visitors):
            if number % 10 == 9:
                photo = picture(1000 * (self.first + visitor) + number)
            model = chance.choice(self.models)
            yield View(
                Inspection(photo.fingerprint, model, "random", chance.choice(self.layers[model])), photo
            )


def surveyed(engine: Engine) -> dict[str, tuple[str, ...]]:
    """The layers of every model that return something."""
    return {
        model: tuple(
            row.name
            for row in engine.do(Survey(model, "random"), visitor="survey").result(WAIT)
            if row.calls and row.shapes[0] and len(row.shapes[0]) == 4
        )
        for model in MODELS
    }


def asked(engine: Engine, stream: Stream) -> tuple[float, list[float]]:
    """Return the stream's seconds, and those of each answer."""

    def visit(visitor: int) -> list[float]:
        seconds = []
        for task in stream.of(visitor):
            begin = time.perf_counter()
            engine.do(task, visitor=f"visitor {visitor}").result(WAIT)
            seconds.append(time.perf_counter() - begin)
        return seconds

    begin = time.perf_counter()
    with ThreadPoolExecutor(stream.visitors) as pool:
        each = list(pool.map(visit, range(stream.visitors)))
    return time.perf_counter() - begin, [second for seconds in each for second in seconds]


@contextmanager
def noted_loads() -> Iterator[Path]:
    """A file in which replicas note their loads."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ[LOADS] = str(Path(folder) / "loads")
        Path(os.environ[LOADS]).touch()
        yield Path(os.environ[LOADS])


def multiplexed(room: int) -> type[Seat]:
    """Make a seat that leaves the choice of replicas to Serve.

    ``room`` is how many models a replica keeps.
    """

    class MultiplexedSeat(Seat):
        @serve.multiplexed(max_num_models_per_replica=room)
        async def have(self, model: str) -> str:
            """Tell Serve that this replica has a model."""
            return model

        async def answer(self, letter: Letter) -> Reply:
            """See ``Replica``."""
            await self.have(serve.get_multiplexed_model_id())
            return await super().answer(letter)

    return MultiplexedSeat


def on_ray(replicas: int, cpus: int, limits: Limits, *, by_serve: bool = False) -> RayEngine:
    """Replicas with so many cores each; ``by_serve`` lets Serve choose among them."""
    there = Cluster(least=replicas, most=replicas, cpus=cpus)
    with ExitStack() as patched:
        if by_serve:
            room = len(MODELS) // 2 if limits is SCARCE else len(MODELS)
            patched.enter_context(patch.object(cluster, "Seat", multiplexed(room)))
            patched.enter_context(patch.object(cluster, "ModelRouter", DEFAULT_REQUEST_ROUTER_PATH))
        engine = RayEngine(PLACE, device="cpu", limits=limits, cluster=there)
        engine._deployed.result(WAIT)  # noqa: SLF001  # no part of the measurement
    return engine


def row(name: str, engine: Engine, stream: Stream, loads: Path) -> float:
    """Print how an engine does; the answers of a second."""
    surveyed(engine)
    if stream.models == MODELS:
        asked(engine, replace(stream, first=900, tasks=2 * stream.visitors))  # every replica gets its models
    else:
        time.sleep(CALM)  # one replica has the model, when a class comes in
    before = len(loads.read_text("utf-8").splitlines())
    took, seconds = asked(engine, stream)
    after = len(loads.read_text("utf-8").splitlines())
    tail = statistics.quantiles(seconds, n=20)[-1]
    print(
        f"| {name} | {len(seconds) / took:.1f} | {1000 * statistics.median(seconds):.0f} | {1000 * tail:.0f} "
        f"| {after - before} |",
        flush=True,
    )
    engine.close()
    return len(seconds) / took


def calibrate(stream: Stream) -> None:
    """Measure one replica without load, and write its times.

    What others do on this machine does not count: what a model takes is seconds of the processor, in this
    process. Only the way to a replica and back is by the clock; a kept answer takes nothing else.
    """
    alone, engine = replace(stream, visitors=1, tasks=120), on_ray(1, 1, Limits())
    asked(engine, alone)
    _, kept = asked(engine, alone)
    engine.close()
    way, threads = statistics.median(kept), torch.get_num_threads()
    torch.set_num_threads(1)
    here = LocalEngine(loaders.loader_apart(lambda *_: None), device="cpu")
    loading = [worked(here, Survey(model, "random")) for model in MODELS]
    new = [way + worked(here, task) for task in alone.of(0)]
    here.close()
    torch.set_num_threads(threads)
    found = {"new": new, "kept": kept, "loading": loading}
    rounded = {name: [round(each, 4) for each in sorted(values)] for name, values in found.items()}
    MEASURED.write_text(json.dumps(rounded) + "\n", encoding="utf-8")
    print(
        f"One replica with one core and one visitor: a new layer or picture takes "
        f"{1000 * statistics.median(new):.0f} ms in the median, what was kept {1000 * way:.1f} ms, the first "
        f"question about a model {statistics.mean(loading):.2f} s in the mean.",
        file=sys.stderr,
    )


def worked(engine: Engine, task: Task[Any]) -> float:
    """The seconds of the processor that a task takes in this process."""
    begin = time.process_time()
    engine.do(task, visitor="ann").result(WAIT)
    return time.process_time() - begin


def main() -> None:
    """Print the table, row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=16)
    parser.add_argument("--tasks", type=int, default=640)
    parser.add_argument("--only-calibrate", action="store_true")
    options = parser.parse_args()
    with noted_loads() as loads:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 << 20, log_to_driver=False)
        here = LocalEngine(loader(lambda *_: None), device="cpu")
        stream = Stream(surveyed(here), options.visitors, options.tasks)
        calibrate(stream)
        if options.only_calibrate:
            return
        print("| engine | answers a second | median ms | 95th percentile ms | models loaded meanwhile |")
        print("|---|---:|---:|---:|---:|")
        row("in this process, two cores", here, stream, loads)
        compare(stream, loads, "all models", Limits())
        compare(replace(stream, tasks=options.tasks // 5), loads, "half of them", SCARCE)
        compare(replace(stream, models=MODELS[:1]), loads, "all, a class that looks at one", Limits())
        ray.shutdown()


def compare(stream: Stream, loads: Path, room: str, limits: Limits) -> None:
    """Print how one replica does, and two in both ways of routing."""
    one = row(f"one replica, two cores, room for {room}", on_ray(1, 2, limits), stream, loads)
    two = row(f"two replicas, a core each, room for {room}", on_ray(2, 1, limits), stream, loads)
    left_to_serve = on_ray(2, 1, limits, by_serve=True)
    other = row(f"the same, but Serve's own routing, room for {room}", left_to_serve, stream, loads)
    print(
        f"room for {room}: {two / one:.2f} times one replica, {two / other:.2f} times Serve's",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
