"""Compare every engine's answers to a thousand random questions.

``python bench/engines.py`` asks in this process, in processes apart, and on a cluster of Ray if that is
installed. It compares every answer bit for bit, and says how long each engine took for the same questions,
asked one after the other by one visitor.
"""

import argparse
import importlib
import os
import random
import statistics
import sys
import time
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.viz.random_tasks import MODELS, Refused, asking, bits, outcome, random_task
from viz.engine.engine import Engine, LocalEngine
from viz.engine.process import ProcessEngine
from viz.ui.visit import loaders


def timed(engine: Engine, task: object) -> tuple[object, float]:
    """An engine's answer, and the seconds that it took."""
    start = time.perf_counter()
    return outcome(engine.do(task, visitor="ann")), time.perf_counter() - start  # type: ignore[arg-type]


def begun(hosts: int) -> dict[str, Engine]:
    """Return every installed engine, first the one to compare with."""
    place = f"{loaders.__name__}:{loaders.loader_apart.__name__}"
    engines: dict[str, Engine] = {
        "in this process": LocalEngine(loaders.subject_loader(lambda _: {}), device="cpu"),
        "in processes apart": ProcessEngine(
            place, device="cpu", hosts=hosts, modules=["viz.views.one_layer"]
        ),
    }
    if find_spec("ray") is not None:
        ray = importlib.import_module("viz.engine.ray")
        engines["on Ray"] = ray.RayEngine(place, device="cpu", cluster=ray.Cluster(cpus=os.cpu_count() or 1))
    return engines


def compared(engines: dict[str, Engine], questions: int, chance: random.Random) -> bool:
    """Put the same questions to every engine, and compare the answers.

    Prints how long each took; returns True if all answers were equal.
    """
    about = [asking(engine, MODELS) for engine in engines.values()]
    seconds: dict[str, list[float]] = {name: [] for name in engines}
    differ = refused = 0
    for number in range(questions):
        task, answers = random_task(chance, about[0]), []
        for name, engine in engines.items():
            answer, took = timed(engine, task)
            answers.append(answer)
            seconds[name].append(took)
        if len({bits(answer) for answer in answers}) > 1:
            differ += 1
            print(f"question {number} differs: {task}")
        refused += isinstance(answers[0], Refused)
    for name, each in seconds.items():
        tail = statistics.quantiles(each, n=20)[-1]
        print(f"{name}: median {1000 * statistics.median(each):.1f} ms, 95 % within {1000 * tail:.0f} ms")
    print(
        f"{questions - differ} of {questions} answers are equal bit for bit; {refused} of them are refusals"
    )
    return not differ


def main() -> None:
    """Print how many answers were equal, and each engine's times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    engines = begun(asked.hosts)
    equal = compared(engines, asked.questions, random.Random(asked.seed))  # noqa: S311  (no secret)
    for engine in engines.values():
        engine.close()
    sys.exit(not equal)


if __name__ == "__main__":
    main()
