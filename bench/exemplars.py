"""What finding exemplars costs, beside plain inference over the same pictures and the same loader.

Run it as ``python bench/exemplars.py [--pictures N] [--side PIXELS] [--model NAME]``; it prints rows for
``bench/RESULTS.md``. The pictures are made here: smoothed noise as JPEG. Both sides decode and prepare them in
the same number of processes, and run the model on one picture at a time. They take turns in blocks of the
listing, because the machine is shared; the ratio is that of the sums.
"""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import numpy as np
import torch
from PIL import Image, ImageFilter

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.__main__ import load_subject
from viz.commands.exemplars import chosen_on_grey, request_for
from viz.exemplars.listing import listed
from viz.exemplars.reading import prepared, usual_workers
from viz.exemplars.search import Numbered, Search, exemplars
from viz.hooks.activations import LayerActivations
from viz.pictures.subject import Subject

MEBIBYTE = 1 << 20
GOAL, GOAL_OF_MEMORY = 1.15, 500


def made_pictures(folder: Path, count: int, side: int) -> None:
    """Write smoothed noise, a different one for each."""
    random = np.random.default_rng(0)
    for number in range(count):
        noise = random.integers(0, 256, (side, side + side // 3, 3), dtype=np.uint8)
        soft = Image.fromarray(noise).filter(ImageFilter.GaussianBlur(float(random.uniform(0.5, 6))))
        path = folder / f"{number // 1000:03}" / f"{number:06}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        soft.save(path, quality=85)


def resident() -> int:
    """How much memory this process has, in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


class Peak:
    """The most memory that this process had in a block, looked at a hundred times a second."""

    def __enter__(self) -> "Peak":
        self.most, self._over = resident(), threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def _look(self) -> None:
        while not self._over.wait(0.01):
            self.most = max(self.most, resident())

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


def plainly(layers: LayerActivations, folder: Path, subject: Subject, workers: int) -> float:
    """Seconds of plain inference over all pictures."""
    begun = time.perf_counter()
    with torch.no_grad():
        for picture in prepared(folder, subject, Numbered(folder, folder / "none", 0), workers):
            layers.model(*picture.arguments)
    return time.perf_counter() - begun


def searched(search: Search, names: tuple[str, str]) -> float:
    """Seconds of a whole run, from the listing to the files."""
    begun = time.perf_counter()
    listing = listed(search.folder, search.out)
    request = request_for(*names, 9, search.layers, search.chosen, listing)
    outcome = exemplars(search, request)
    if not outcome.complete or outcome.unreadable:
        raise SystemExit("a run is not complete")
    return time.perf_counter() - begun


def compared(
    one: Callable[[int], float], other: Callable[[int], float], rounds: int
) -> Iterator[tuple[float, float]]:
    """Yield the seconds of both, each round the other one first."""
    for number in range(rounds):
        if number % 2:
            second = other(number)
            yield one(number), second
        else:
            first = one(number)
            yield first, other(number)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pictures", type=int, default=1000)
    options.add_argument("--side", type=int, default=256)
    options.add_argument("--model", default="resnet18")
    options.add_argument("--layers", nargs="*", default=["Conv2d"])
    options.add_argument("--rounds", type=int, default=3)
    asked = options.parse_args()
    subject = load_subject(asked.model, "random")
    layers = LayerActivations(subject.module, "cpu")
    workers = usual_workers()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "pictures")
        made_pictures(folder, asked.pictures, asked.side)
        chosen = chosen_on_grey(layers, subject, asked.layers)
        warm = resident()

        def run(number: int) -> float:
            search = Search(folder, Path(place, f"out{number}"), layers, subject, chosen, workers)
            return searched(search, (asked.model, "random"))

        plainly(layers, folder, subject, workers) if asked.pictures <= 100 else None  # warm the caches
        with Peak() as peak:
            found = list(compared(run, lambda _: plainly(layers, folder, subject, workers), asked.rounds))
        size = sum(path.stat().st_size for path in Path(place, "out0").iterdir())
    ratio = median(mine / plain for mine, plain in found)
    mine, plain = (median(side) for side in zip(*found, strict=True))
    memory = (peak.most - warm) / MEBIBYTE
    print(
        "| model, layers | pictures | exemplars, s | plain inference, s | ratio | goal | memory above the model, MiB | goal | files, MB |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(
        f"| {asked.model}, {len(chosen)} layers | {asked.pictures:,} | {mine:.1f} | {plain:.1f} | {ratio:.2f} | ≤ {GOAL} "
        f"| {memory:.0f} | < {GOAL_OF_MEMORY} | {size / 1e6:.1f} |"
    )


if __name__ == "__main__":
    main()
