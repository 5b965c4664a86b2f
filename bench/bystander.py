"""Waits of one visitor while another does heavy things without a pause.

``python bench/bystander.py`` starts a server for each engine. A bystander with a picture of their own picks
layers of ResNet-18 by the addresses of its maps, each for the first time, so that every pick is a run of the
model; nothing is fetched ahead. Meanwhile another visitor, with another picture, asks for one heavy thing
after the other, each with an edit or a class of its own, so that nothing is found in a cache.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.load.plan import Plan
from bench.load.report import percentile
from bench.load.visitor import Place
from bench.load.visitor import Visitor as Picker
from tests.browser.pictures import jpeg, photo
from tests.browser.serving import serving
from tests.hostile.attacks import frames
from tests.hostile.visitor import Visitor, ask

PATIENCE = 300.0
HEAD = (
    "| another visitor, without a pause | engine | median ms (calm, just before) | 95th percentile ms | "
    "longest ms | picks | heavy things done, refused |\n|---|---|---:|---:|---:|---:|---:|"
)
GOALS = 60, 250  # milliseconds: of the median, of the 95th percentile
Ask = Callable[[Visitor, int], int]
"""(visitor, how often it was done) → the status of the last answer."""


@dataclass(frozen=True)
class HeavyTask:
    """A heavy thing: its name, its model and its function."""

    name: str
    model: str
    once: Ask | None


class Bystander(Picker):
    """A visitor for whom nothing is fetched ahead."""

    async def _ahead(self, _: Place) -> int:
        return 0

    async def pick_all(self, until: float, going: Callable[[], bool]) -> None:
        """Pick every layer once, until the deadline or the heavy thing's end.

        ``until`` is on the loop's clock.
        """
        loop = asyncio.get_running_loop()
        for place in self._chance.sample(self._places, len(self._places)):
            await asyncio.sleep(self._chance.uniform(0.5, 1.5) * self._plan.every)
            if loop.time() > until or not going():
                return
            await self._pick(place)


class HeavyVisitor(threading.Thread):
    """The other visitor, who does heavy things until stopped.

    Attributes:
        answers: how often each status came.
        settled: set once the visitor's page is there, or, if it is only about loading, at once.
    """

    def __init__(self, address: str, heavy: HeavyTask) -> None:
        super().__init__(daemon=True)
        self.address, self.heavy = address, heavy
        self.began = False
        self.answers, self.settled, self.over = Counter[int](), threading.Event(), threading.Event()

    def begin(self) -> None:
        """Begin, unless that has happened, and wait for the visitor's page."""
        if not self.began:
            self.began = True
            self.start()
        if not self.settled.wait(PATIENCE):
            raise TimeoutError(f"no page for {self.heavy.name}")

    @property
    def goes_on(self) -> bool:
        """True if it has not ended; loading does so by itself."""
        return not self.began or self.is_alive()

    def run(self) -> None:
        """See the class."""
        if self.heavy.once is None:
            self.settled.set()
        with Visitor(self.address, patience=PATIENCE, model=self.heavy.model, weights="random") as visitor:
            if self.heavy.once is None:
                self.answers[200 if visitor.subject else 0] += 1
                return
            self.settled.set()
            for number in range(1, 100_000):
                if self.over.is_set():
                    return
                self.answers[self.heavy.once(visitor, number)] += 1


def get(question: str, /, **fields: object) -> Ask:
    """A question about the subject; ``{}`` in a field becomes the turn."""

    def once(visitor: Visitor, turn: int) -> int:
        said = urlencode({name: str(value).format(turn) for name, value in fields.items()})
        path = f"/maps/{visitor.subject}/{question}?{said}"
        return ask(visitor.address, path, patience=PATIENCE).status

    return once


def all_channels(visitor: Visitor, turn: int) -> int:
    """An ablation of 512 channels, as the browser asks for it."""
    first, size, status = 0, 1, 200
    while first < 512 and status == 200:
        said = {"layer": "layer4.1.conv2", "edit": f"conv1:scale:all:1.{turn:05}", "first": first}
        path = f"/maps/{visitor.subject}/ablation.json?{urlencode(said | {'size': size})}"
        answer = ask(visitor.address, path, patience=PATIENCE)
        status = answer.status
        first, size = (answer.said["next"], answer.said["size"]) if status == 200 else (512, 1)
    return status


def every_step(visitor: Visitor, turn: int) -> int:
    """Integrated gradients of a class, asked for until they are done."""
    said = urlencode({"method": "integrated-gradients", "target": turn, "back": 1})
    while True:
        answer = ask(visitor.address, f"/maps/{visitor.subject}/attribution.json?{said}", patience=PATIENCE)
        if answer.status != 200 or answer.said["done"] >= answer.said["total"]:
            return answer.status


def large_picture(visitor: Visitor, turn: int) -> int:
    """Upload 40 megapixels, and run the page's script that shows them."""
    return visitor.upload("upload", f"{turn}.jpg", LARGE[turn % len(LARGE)]()).status


def live_frames(visitor: Visitor, _: int) -> int:
    """Send six camera frames at once, of 46 bytes each.

    Each frame is 40 million pixels large.
    """
    return int(frames(6)(visitor).split(", ", maxsplit=1)[0])


def _large(seed: int) -> Callable[[], bytes]:
    made: list[bytes] = []

    def file() -> bytes:
        if not made:
            made.append(jpeg(photo(seed, (8000, 5000))))
        return made[0]

    return file


LARGE = [_large(seed) for seed in (1, 2)]
EDIT = "conv1:scale:all:1.{:05}"
LARGER = "resnet152"
HEAVY = (
    HeavyTask("vit_h_14, untrained, loading", "vit_h_14", None),
    HeavyTask("HTML of ResNet-152", LARGER, get("home.html", edit=EDIT)),
    HeavyTask("GIF of ResNet-152", LARGER, get("home.gif", edit=EDIT)),
    HeavyTask("overview of ResNet-152", LARGER, get("overview.json", edit=EDIT)),
    HeavyTask(
        "saliency, ResNet-152", LARGER, get("attribution.json", method="saliency", back=1, target="{}")
    ),
    HeavyTask("one scale, ResNet-152", LARGER, get("layer.json", layer="fc", scale="model", edit=EDIT)),
    HeavyTask("integrated gradients, ResNet-152", LARGER, every_step),
    HeavyTask("HTML of ResNet-18", "resnet18", get("home.html", edit=EDIT)),
    HeavyTask("GIF of ResNet-18", "resnet18", get("home.gif", edit=EDIT)),
    HeavyTask("overview of ResNet-18", "resnet18", get("overview.json", edit=EDIT)),
    HeavyTask("one scale, ResNet-18", "resnet18", get("layer.json", layer="fc", scale="model", edit=EDIT)),
    HeavyTask(
        "saliency, ResNet-18", "resnet18", get("attribution.json", method="saliency", back=1, target="{}")
    ),
    HeavyTask("integrated gradients, ResNet-18", "resnet18", every_step),
    HeavyTask("ablation of 512 channels, ResNet-18", "resnet18", all_channels),
    HeavyTask("quiz questions", "lenet", get("quiz.json", seed="{}", question=0)),
    HeavyTask("six live frames of 46 bytes", "resnet18", live_frames),
    HeavyTask("uploads of 40 megapixels", "resnet18", large_picture),
)
CALM = HeavyTask("nothing", "", None)


async def waits(
    address: str, number: int, seconds: float, begin: Callable[[], None], going: Callable[[], bool]
) -> list[float]:
    """Return milliseconds from click to maps, of one bystander after another.

    Each bystander has a new picture. ``begin`` is called once the first of them has come.
    """
    found, loop, until = list[float](), asyncio.get_running_loop(), float("inf")
    while loop.time() < until and going():
        number += 1000
        async with Bystander(address, number, Plan(visitors=1, every=0.15, check_share=0)) as bystander:
            await asyncio.to_thread(begin)
            until = min(until, loop.time() + seconds)
            await bystander.pick_all(until, going)
        found += [1000 * pick.seconds for pick in bystander.picks]
    return found


def measured(address: str, heavy: HeavyTask, number: int, seconds: float) -> tuple[list[float], Counter[int]]:
    """Return the bystander's waits, and the statuses of the heavy answers."""
    if heavy is CALM:
        return asyncio.run(waits(address, number, seconds, lambda: None, lambda: True)), Counter()
    asking = HeavyVisitor(address, heavy)
    longest = 6 * seconds if heavy.once is None else seconds
    found = asyncio.run(waits(address, number, longest, asking.begin, lambda: asking.goes_on))
    asking.over.set()
    asking.join(PATIENCE)
    return found, asking.answers


def row(heavy: HeavyTask, engine: str, calm: list[float], found: list[float], answers: Counter[int]) -> str:
    """One measurement as a row of the table."""
    done, refused = answers[200] + answers[204], sum(answers.values()) - answers[200] - answers[204]
    both = [(median(each), percentile(each), max(each)) for each in (found, calm)]
    ms = " | ".join(f"{one:.0f} ({other:.0f})" for one, other in zip(*both, strict=True))
    return f"| {heavy.name} | {engine} | {ms} | {len(found)} | {done}, {refused} |"


def chosen(only: Sequence[str]) -> Iterator[tuple[int, HeavyTask]]:
    """Yield the heavy things whose name contains one of these words."""
    for number, heavy in enumerate(HEAVY):
        if any(part in heavy.name for part in only):
            yield number, heavy


def main() -> None:
    """Print a row for each heavy thing and engine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", nargs="+", default=["local", "process"])
    parser.add_argument("--seconds", type=float, default=15.0, help="how long each is measured")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of the names of what to measure")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    print(HEAD, flush=True)
    for engine in asked.engines:
        settings = {"LAYERGLASS_ENGINE": engine, "LAYERGLASS_ASK_MB": "100000"}
        with tempfile.TemporaryDirectory() as home, serving(Path(home), settings=settings) as address:
            for number, heavy in chosen(asked.only):
                calm, _ = measured(address, CALM, 100 + number, asked.seconds / 2)
                found, answers = measured(address, heavy, number, asked.seconds)
                facts: dict[str, Any] = {"heavy": heavy.name, "engine": engine, "calm": calm, "waits": found}
                text = json.dumps(facts) if asked.json else row(heavy, engine, calm, found, answers)
                print(text, flush=True)


if __name__ == "__main__":
    main()
