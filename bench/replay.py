"""Passes that a class's picks cause, by budget: ``python bench/replay.py [MB ...]``.

The same picks each time, one after the other in one engine of this process, so that the counts do not depend
on what else the machine does: every visitor arrives with a photo of their own, and picks layers in an order
of their own. A row is one budget. Convolutions tell how much of a pass was run.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.load.visitor import Place, places_in
from viz.engine.engine import LocalEngine
from viz.engine.limits import Limits
from viz.hooks.activations import LayerActivations
from viz.pictures.photo import Photo, photograph
from viz.profile.rows import LayerRow
from viz.request.inspection import Inspection
from viz.ui.visit.service import load_subject
from viz.views.one_layer import View
from viz.views.whole_model import Survey

MODEL, VISITORS, PICKS = "resnet18", 30, 8
BUDGETS = (190, 960)  # megabytes: a fifth of what the class's layers take, and all
ROOM, AHEAD = (608, 464), 3


class Replay:
    """A class at one engine, and what it runs."""

    def __init__(self, kept: int) -> None:
        self.ran = Counter[str]()
        self._engine = LocalEngine(load_subject, device="cpu", limits=Limits(kept=kept))
        rows: tuple[LayerRow, ...] = self._engine.do(Survey(MODEL, "random"), visitor="").result()
        self._places = places_in([{"name": row.name, "shapes": row.shapes} for row in rows])
        self._photos = [noise(number) for number in range(VISITORS)]
        self._orders = [
            random.Random(f"0 {number}").sample(self._places, len(self._places))  # noqa: S311  a fixed order
            for number in range(VISITORS)
        ]

    def arrive(self) -> None:
        """Show everybody the first layer, and fetch the next ones ahead."""
        for number in range(VISITORS):
            for turn, place in enumerate(self._places[:AHEAD]):
                self._look(number, place, urgent=turn == 0)

    def pick(self) -> None:
        """Let everybody pick in turn."""
        for turn in range(PICKS):
            for number, order in enumerate(self._orders):
                self._look(number, order[turn], urgent=True)

    def close(self) -> None:
        """End the engine."""
        self._engine.close()

    def _look(self, number: int, place: Place, *, urgent: bool) -> None:
        photo = self._photos[number]
        wanted = Inspection(
            photo.fingerprint, MODEL, "random", layer=place.layer, call=place.call, viewport=ROOM
        )
        task = View(wanted, photo, whole=not urgent)
        self._engine.do(task, visitor=str(number), urgent=urgent).result()


def noise(seed: int) -> Photo:
    """A photo (480, 640) of noise."""
    values = np.random.default_rng(seed).integers(0, 256, (480, 640, 3), dtype=np.uint8)
    return photograph(Image.fromarray(values))


def counting(method: Callable[..., Any], ran: Counter[str], what: str) -> Callable[..., Any]:
    """The method, which counts its calls."""

    def counted(*given: Any, **named: Any) -> Any:
        ran[what] += 1
        return method(*given, **named)

    return counted


def row(megabytes: int) -> str:
    """Replay the class with one budget."""
    replay = Replay(megabytes * 1_000_000)
    plain = LayerActivations.run, torch.nn.Conv2d.forward
    LayerActivations.run = counting(plain[0], replay.ran, "passes")  # type: ignore[method-assign]
    torch.nn.Conv2d.forward = counting(plain[1], replay.ran, "convolutions")  # type: ignore[method-assign]
    try:
        replay.arrive()
        replay.ran.clear()
        begun = time.process_time()
        replay.pick()
        seconds = time.process_time() - begun
    finally:
        LayerActivations.run, torch.nn.Conv2d.forward = plain  # type: ignore[method-assign]
        replay.close()
    picks, ran = VISITORS * PICKS, replay.ran
    return f"| {megabytes} | {picks} | {ran['passes']} | {ran['convolutions']} | {seconds:.1f} |"


def main() -> int:
    """Print a row for each budget."""
    torch.set_num_threads(1)
    print("| budget MB | picks | passes | convolutions | processor s |\n|---:|---:|---:|---:|---:|")
    for megabytes in map(int, sys.argv[1:] or BUDGETS):
        print(row(megabytes), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
