"""What finding exemplars costs, beside plain inference over the same pictures and the same loader.

Run it as ``python bench/exemplars.py [--pictures N] [--side PIXELS] [--model NAME]``; it prints rows for
``bench/RESULTS.md``. The pictures are made here: smoothed noise as JPEG. Both sides decode and prepare them
in as many processes of their own, and run the model on one picture at a time. They take turns of a few
pictures, because the machine is shared and its speed changes within a minute: whoever rests has only what its
loader had ready ahead. Ours is one whole run, from the listing to the last file.
"""

import argparse
import copy
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Self

import numpy as np
import torch
from PIL import Image, ImageFilter

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.__main__ import load_subject
from viz.commands.exemplars import chosen_on_grey, request_for
from viz.exemplars.listing import listed
from viz.exemplars.reading import Prepared, prepared, usual_workers
from viz.exemplars.search import Numbered, Search, exemplars
from viz.hooks.activations import LayerActivations

MEBIBYTE = 1 << 20
DIFFERENT = 2000  # pictures; more are the same again, because making them takes longer than looking at them
GOAL, GOAL_OF_MEMORY = 1.15, 500
HEADS = "model, layers | pictures | ratio in time | goal | turn by turn | ms a picture | plain inference, ms"
HEADS += " | memory above the model, MiB | goal | files, kB a picture"


def made_pictures(folder: Path, count: int, side: int) -> Path:
    """Write smoothed noise into a folder."""
    random = np.random.default_rng(0)
    folder.mkdir(parents=True)
    for number in range(min(count, DIFFERENT)):
        noise = random.integers(0, 256, (side, side + side // 3, 3), dtype=np.uint8)
        soft = Image.fromarray(noise).filter(ImageFilter.GaussianBlur(float(random.uniform(0.5, 6))))
        soft.save(folder / f"{number:06}.jpg", quality=85)
    for number in range(DIFFERENT, count):
        shutil.copy(folder / f"{number % DIFFERENT:06}.jpg", folder / f"{number:06}.jpg")
    return folder


def resident() -> int:
    """How much memory this process has, in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Peak:
    """The most memory that this process had in a block, looked at a hundred times a second."""

    def __init__(self) -> None:
        self.most = resident()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def _look(self) -> None:
        while not self._over.wait(0.01):
            self.most = max(self.most, resident())

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


class Turns:
    """Plain inference, which takes its turn whenever our run, begun now, has looked at as many pictures.

    Its model is a copy, because our hooks are on the other one.
    """

    def __init__(self, module: torch.nn.Module, pictures: Iterator[Prepared], length: int) -> None:
        self._module, self._pictures, self._length = module, pictures, length
        self.seconds: list[tuple[float, float]] = []
        self.rest = 0.0
        self._begun = perf_counter()

    def advance(self, done: int) -> None:
        """Our run has done so many pictures."""
        if done % self._length or not done:
            return
        ours, begun = perf_counter() - self._begun, perf_counter()
        with torch.no_grad():
            for picture in islice(self._pictures, self._length):
                self._module(*picture.arguments)
        self.seconds.append((ours, perf_counter() - begun))
        print(f"{done}: {ours:.2f} s, plain {self.seconds[-1][1]:.2f} s", file=sys.stderr)
        self._begun = perf_counter()

    def end(self) -> None:
        """Our run is over: what it did after the last picture is its own."""
        self.rest = perf_counter() - self._begun


def options() -> argparse.Namespace:
    """What to measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pictures", type=int, default=1000)
    asked.add_argument("--turn", type=int, default=50)
    asked.add_argument("--side", type=int, default=256)
    asked.add_argument("--model", default="resnet18")
    asked.add_argument("--layers", nargs="*", default=["Conv2d"])
    asked.add_argument("--threads", type=int, default=torch.get_num_threads())
    return asked.parse_args()


def main() -> None:
    asked = options()
    torch.set_num_threads(asked.threads)
    subject = load_subject(asked.model, "random")
    layers, workers = LayerActivations(subject.module, "cpu"), usual_workers()
    copied = copy.deepcopy(subject.module)
    with tempfile.TemporaryDirectory() as place:
        folder = made_pictures(Path(place, "in"), asked.pictures, asked.side)
        chosen = chosen_on_grey(layers, subject, asked.layers)
        search = Search(folder, Path(place, "out"), layers, subject, chosen, workers)
        listing = listed(search.folder, search.out)
        request = request_for(asked.model, "random", 9, layers, chosen, listing)
        before = resident()
        with Peak() as peak:
            numbered = Numbered(folder, search.out, 0)
            turns = Turns(copied, iter(prepared(folder, subject, numbered, workers)), asked.turn)
            outcome = exemplars(search, request, advance=turns.advance)
            turns.end()
        files = sum(path.stat().st_size for path in search.out.iterdir())
    if not outcome.complete or outcome.unreadable:
        raise SystemExit("the run is not complete")
    ours, plain = (sum(side) for side in zip(*turns.seconds, strict=True))
    each = median(one / other for one, other in turns.seconds)
    cells = (
        *(f"{asked.model}, {len(chosen)} layers", f"{asked.pictures:,}"),
        *(f"{(ours + turns.rest) / plain:.3f}", f"≤ {GOAL}", f"{each:.3f}"),
        *(f"{1000 * (ours + turns.rest) / asked.pictures:.1f}", f"{1000 * plain / asked.pictures:.1f}"),
        *(f"{(peak.most - before) / MEBIBYTE:.0f}", f"< {GOAL_OF_MEMORY}"),
        f"{files / 1000 / asked.pictures:.0f}",
    )
    print(f"| {HEADS} |\n| --- {'| ---: ' * (len(cells) - 1)}|\n| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
