"""Thirty visitors who each pick a layer every two seconds: how long they wait, with and without two remedies.

Streamlit collects garbage after every script run, and OpenMP's threads spin while they wait; both slow the
class down. Each round starts and warms a fresh server: with both remedies, without the first, without the
second, or without either. Rounds alternate, so that a machine whose speed drifts slows all of them alike.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser.serving import serving
from tests.hostile.visitor import Visitor, ask

VIEW = {"model": "resnet18", "weights": "random"}
THINKING = 2.0  # seconds between two picks of one visitor
VARIANTS = {
    "both remedies": {},
    "garbage collected after each run": {"STREAMLIT_RUNNER_POST_SCRIPT_GC": "true"},
    "OpenMP's threads spin": {"OMP_WAIT_POLICY": "active"},
    "neither remedy": {"STREAMLIT_RUNNER_POST_SCRIPT_GC": "true", "OMP_WAIT_POLICY": "active"},
}


class Student(threading.Thread):
    """A visitor who picks one layer after the other, and notes how long each run and its maps took."""

    def __init__(self, address: str, seed: int, until: float) -> None:
        super().__init__(daemon=True)
        self._random, self._until = random.Random(seed), until  # noqa: S311 - nothing depends on its being secret
        self.visitor = Visitor(address, patience=120.0, **VIEW)
        self.layers = [page[0] for page in self.visitor.part("layerglass_viewer")["pages"] if page[3]]
        self.waits: list[float] = []

    def run(self) -> None:
        """Pick until time is up."""
        time.sleep(self._random.uniform(0, THINKING))
        while time.monotonic() < self._until:
            began = time.perf_counter()
            layer = self._random.choice(self.layers)
            self.visitor.run(f"model=resnet18&weights=random&layer={layer}")
            path = f"/maps/{self.visitor.subject}/layer.png?layer={layer}&columns=8"
            ask(self.visitor.address, path, patience=120.0)
            self.waits.append(time.perf_counter() - began)
            time.sleep(max(0.0, THINKING - (time.perf_counter() - began)))


def waited(variant: dict[str, str], visitors: int, seconds: float) -> list[float]:
    """The seconds that each pick took in one round."""
    os.environ.update(variant)
    try:
        with tempfile.TemporaryDirectory() as home, serving(Path(home)) as address:
            with Visitor(address, **VIEW) as first:
                for facts in first.part("layerglass_viewer")["pages"][:12]:
                    first.map_json(facts[0], columns=8)
            until = time.monotonic() + seconds + 6
            class_ = [Student(address, seed, until) for seed in range(visitors)]
            for student in class_:
                student.start()
            for student in class_:
                student.join(seconds + 240)
            return [wait for student in class_ for wait in student.waits]
    finally:
        for name in variant:
            del os.environ[name]


def main() -> None:
    """Print a row for each variant, all rounds together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    found: dict[str, list[list[float]]] = {name: [] for name in VARIANTS}
    for _ in range(asked.rounds):
        for name, variant in VARIANTS.items():
            found[name].append(waited(variant, asked.visitors, asked.seconds))
            print(name, row(found[name][-1]), file=sys.stderr, flush=True)
    print("| server | picks | median s | 95th percentile s | 95th percentile of each round |")
    print("|---|---:|---:|---:|---|")
    for name, rounds in found.items():
        each = ", ".join(f"{percentile(waits):.2f}" for waits in rounds)
        picks = [wait for waits in rounds for wait in waits]
        print(
            f"| {name} | {len(picks)} | {statistics.median(picks):.2f} | {percentile(picks):.2f} | {each} |"
        )


def row(waits: list[float]) -> str:
    """One round as a line of text."""
    median = statistics.median(waits)
    return f"{len(waits)} picks, median {median:.2f} s, 95th percentile {percentile(waits):.2f} s"


def percentile(waits: list[float], share: float = 0.95) -> float:
    """The wait that this share of them does not exceed."""
    return sorted(waits)[min(len(waits) - 1, int(share * len(waits)))]


if __name__ == "__main__":
    main()
