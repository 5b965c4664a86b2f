"""A thousand random questions, answered in this process and in processes apart: are they equal, and how fast?

``python bench/engines.py`` compares every answer bit for bit, and says how long each engine took for the
same questions, asked one after the other by one visitor.
"""

import argparse
import random
import statistics
import sys
import time
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


def main() -> None:
    """Print how many answers were equal, how many were refusals, and how long both engines took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    here = LocalEngine(loaders.subject_loader(lambda _: {}), device="cpu")
    place = f"{loaders.__name__}:{loaders.loader_apart.__name__}"
    there = ProcessEngine(place, device="cpu", hosts=asked.hosts, modules=["viz.views.one_layer"])
    chance, about = random.Random(asked.seed), asking(here, MODELS)  # noqa: S311  (no secret)
    asking(there, MODELS)
    equal, refused = 0, 0
    seconds: tuple[list[float], list[float]] = ([], [])
    for number in range(asked.questions):
        task = random_task(chance, about)
        (expected, one), (found, other) = timed(here, task), timed(there, task)
        seconds[0].append(one)
        seconds[1].append(other)
        if bits(found) == bits(expected):
            equal += 1
        else:
            print(f"question {number} differs: {task}")
        refused += isinstance(expected, Refused)
    for name, each in zip(("in this process", "in processes apart"), seconds, strict=True):
        tail = statistics.quantiles(each, n=20)[-1]
        print(f"{name}: median {1000 * statistics.median(each):.1f} ms, 95 % within {1000 * tail:.0f} ms")
    print(f"{equal} of {asked.questions} answers are equal bit for bit; {refused} of them are refusals")
    here.close()
    there.close()
    sys.exit(equal != asked.questions)


if __name__ == "__main__":
    main()
