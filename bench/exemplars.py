"""What finding exemplars costs, beside plain inference over the same pictures and the same loader.

Run it as ``python bench/exemplars.py [--pictures N] [--side PIXELS] [--model NAME]``; it prints rows for
``bench/RESULTS.md``. The pictures are made here: smoothed noise as JPEG, folder by folder. Both sides decode
and prepare them in as many processes, run the model on one picture at a time, and take turns, folder by
folder, because the machine is shared. Ours is a whole run each time, from the listing to the files, so many
small runs cost more than one large one.
"""

import argparse
import os
import sys
import tempfile
import threading
from collections.abc import Callable
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
from viz.exemplars.reading import prepared, usual_workers
from viz.exemplars.search import Numbered, Search, exemplars
from viz.hooks.activations import LayerActivations
from viz.pictures.subject import Subject

MEBIBYTE = 1 << 20
GOAL, GOAL_OF_MEMORY = 1.15, 500
HEADS = (
    *("model, layers", "pictures", "ratio in CPU time", "ratio in time", "goal", "CPU ms a picture"),
    *("plain inference, CPU ms", "memory above the model, MiB", "goal", "files, kB a picture"),
)


def made_pictures(folder: Path, count: int, side: int, seed: int) -> Path:
    """Write smoothed noise into a folder, a different one for each."""
    random = np.random.default_rng(seed)
    folder.mkdir(parents=True)
    for number in range(count):
        noise = random.integers(0, 256, (side, side + side // 3, 3), dtype=np.uint8)
        soft = Image.fromarray(noise).filter(ImageFilter.GaussianBlur(float(random.uniform(0.5, 6))))
        soft.save(folder / f"{number:06}.jpg", quality=85)
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


def plainly(layers: LayerActivations, folder: Path, subject: Subject, workers: int) -> None:
    """Plain inference over all pictures of a folder."""
    with torch.no_grad():
        for picture in prepared(folder, subject, Numbered(folder, folder / "none", 0), workers):
            layers.model(*picture.arguments)


def searched(search: Search, model: str) -> None:
    """A whole run, from the listing to the files."""
    listing = listed(search.folder, search.out)
    request = request_for(model, "random", 9, search.layers, search.chosen, listing)
    outcome = exemplars(search, request)
    if not outcome.complete or outcome.unreadable:
        raise SystemExit("a run is not complete")


def took(work: Callable[[], None]) -> tuple[float, float]:
    """Return the CPU seconds of this process and of those that it began and ended, and the seconds."""
    before, begun = os.times(), perf_counter()
    work()
    return sum(os.times()[:4]) - sum(before[:4]), perf_counter() - begun


def measured(
    folders: list[Path], search: Callable[[Path], None], plain: Callable[[Path], None]
) -> np.ndarray:
    """Return, for each folder, (ours, plain) × (CPU seconds, seconds); who goes first changes."""
    rows = []
    for number, folder in enumerate(folders):
        sides = [lambda here=folder: search(here), lambda here=folder: plain(here)]
        turns = [number % 2, 1 - number % 2]
        found = {turn: took(sides[turn]) for turn in turns}
        rows.append([found[0], found[1]])
        print(f"{number + 1} of {len(folders)} folders: {np.round(rows[-1], 1).tolist()}", file=sys.stderr)
    return np.array(rows)


def options() -> argparse.Namespace:
    """What to measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pictures", type=int, default=1000)
    asked.add_argument("--folders", type=int, default=10)
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
    each = asked.pictures // asked.folders
    with tempfile.TemporaryDirectory() as place:
        folders = [made_pictures(Path(place, f"in{n}"), each, asked.side, n) for n in range(asked.folders)]
        chosen = chosen_on_grey(layers, subject, asked.layers)

        def search(folder: Path) -> None:
            searched(Search(folder, folder / "out", layers, subject, chosen, workers), asked.model)

        before = resident()
        with Peak() as peak:
            found = measured(folders, search, lambda folder: plainly(layers, folder, subject, workers))
        files = sum(path.stat().st_size for folder in folders for path in (folder / "out").iterdir())
    ratios = [median(row[0][unit] / row[1][unit] for row in found) for unit in (0, 1)]
    cpu = 1000 * np.median(found[:, :, 0], axis=0) / each
    cells = (
        *(f"{asked.model}, {len(chosen)} layers", f"{len(folders)} × {each}", f"{ratios[0]:.2f}"),
        *(f"{ratios[1]:.2f}", f"≤ {GOAL}", f"{cpu[0]:.0f}", f"{cpu[1]:.0f}"),
        *(
            f"{(peak.most - before) / MEBIBYTE:.0f}",
            f"< {GOAL_OF_MEMORY}",
            f"{files / 1000 / each / len(folders):.0f}",
        ),
    )
    print(f"| {' | '.join(HEADS)} |\n| --- {'| ---: ' * (len(HEADS) - 1)}|\n| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
