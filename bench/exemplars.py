"""Cost of finding exemplars, beside plain inference over the same pictures.

Run it as ``python bench/exemplars.py [--pictures N] [--side PIXELS] [--model NAME]``; it prints rows for
``bench/RESULTS.md``. The pictures are made here: smoothed noise as JPEG. Ours is one whole run, from the
listing to the last file. Plain inference is the loop that anybody writes: processes read and prepare, and one
model, with all threads that PyTorch takes, looks at one picture at a time. With ``--copies`` it too has
copies of the model with a thread each, and nothing but inference to do.

They take turns of some hundred pictures, because the machine is shared and its speed changes within a minute.
The side that rests has only what its processes had ready ahead; if it runs models in these, it pays for that.
"""

import argparse
import copy
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Self

import numpy as np
import torch
from PIL import Image, ImageFilter
from torch.utils.data import Dataset

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.commands.exemplars import chosen_on_grey, request_for, usual_workers
from viz.commands.line.subject import load_subject
from viz.exemplars.listing import listed, pictures
from viz.exemplars.reading import AHEAD, Item, PictureFiles, elsewhere, prepared, usual_readers
from viz.exemplars.search import Search, exemplars
from viz.hooks.activations import LayerActivations

MEBIBYTE = 1 << 20
DIFFERENT = 2000  # pictures; more are the same again, because making them takes longer than looking at them
GOAL, GOAL_OF_MEMORY = 1.15, 500
SETTLES = 1.0  # seconds after which processes have done all that they may do ahead
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
    """Return this process's memory in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def private(process: int) -> int:
    """Return a process's private memory in bytes; 0 if it has ended."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return 1024 * sum(map(int, re.findall(r"^Private_\w+: +(\d+) kB$", text, re.MULTILINE)))


class Peak:
    """The most memory of this process and its copies in a block.

    It is measured four times a second.
    """

    def __init__(self) -> None:
        self.most = resident()
        self._others = {process.pid for process in multiprocessing.active_children()}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def _look(self) -> None:
        while not self._over.wait(0.25):
            copies = {each.pid for each in multiprocessing.active_children()} - self._others
            self.most = max(self.most, resident() + sum(private(pid) for pid in copies if pid))

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


class PlainInference(Dataset[int]):
    """Nothing but inference, where the pictures are read."""

    def __init__(self, files: PictureFiles, module: torch.nn.Module) -> None:
        self._files, self._module = files, module

    def __getitem__(self, item: Item) -> int:
        """Run the model, and throw away its output."""
        with torch.no_grad():
            self._module(*self._files[item].arguments)
        return item[0]


def plain_inference(search: Search, *, copies: int) -> Iterator[object]:
    """Yield once for each picture that plain inference has run on.

    It runs a copy of the model, because our hooks are on the other.
    """
    module = copy.deepcopy(search.subject.module)
    numbered = enumerate(pictures(search.folder, search.out))
    if copies:
        files = PictureFiles(search.folder, search.subject)
        yield from elsewhere(PlainInference(files, module), numbered, copies)
        return
    for picture in prepared(search.folder, search.subject, numbered, usual_readers()):
        with torch.no_grad():
            yield module(*picture.arguments)


class Turns:
    """Plain inference, which takes turns with our run.

    Its turn comes whenever our run, begun now, has looked at as many pictures. ``ahead`` are how many
    pictures our side, and the other one, may have looked at while they rest.
    """

    def __init__(self, plain: Iterator[object], length: int, ahead: tuple[int, int]) -> None:
        self._plain, self._length = plain, length
        self._paid = tuple(length / (length - each) for each in ahead)
        self.seconds: list[tuple[float, float]] = []
        self.rest = 0.0
        self._begun = perf_counter()

    def advance(self, done: int) -> None:
        """Our run has done so many pictures."""
        if done % self._length or not done:
            return
        ours = self._paid[0] * (perf_counter() - self._begun)
        sleep(SETTLES)
        begun = perf_counter()
        for _ in islice(self._plain, self._length):
            pass
        self.seconds.append((ours, self._paid[1] * (perf_counter() - begun)))
        print(f"{done}: {ours:.2f} s, plain {self.seconds[-1][1]:.2f} s", file=sys.stderr)
        sleep(SETTLES)
        self._begun = perf_counter()

    def end(self) -> None:
        """End our run: its work after the last picture is its own."""
        self.rest = perf_counter() - self._begun


def options() -> argparse.Namespace:
    """Parse the command line."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pictures", type=int, default=1000)
    asked.add_argument("--turn", type=int, default=250)
    asked.add_argument("--copies", action="store_true", help="plain inference by copies of the model, too")
    asked.add_argument("--side", type=int, default=256)
    asked.add_argument("--model", default="resnet18")
    asked.add_argument("--layers", nargs="*", default=["Conv2d"])
    return asked.parse_args()


def main() -> None:
    asked = options()
    subject = load_subject(asked.model, "random")
    layers, workers = LayerActivations(subject.module, "cpu"), usual_workers("cpu")
    with tempfile.TemporaryDirectory() as place:
        folder = made_pictures(Path(place, "in"), asked.pictures, asked.side)
        chosen = chosen_on_grey(layers, subject, asked.layers)
        search = Search(folder, Path(place, "out"), layers, subject, chosen, workers)
        listing = listed(search.folder, search.out)
        request = request_for(asked.model, "random", 9, layers, chosen, listing)
        copies = workers if asked.copies else 0
        plain_side = plain_inference(search, copies=copies)
        next(plain_side)  # its processes are there, and are not ours
        before = resident()
        with Peak() as peak:
            turns = Turns(plain_side, asked.turn, (AHEAD * workers, AHEAD * copies))
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
