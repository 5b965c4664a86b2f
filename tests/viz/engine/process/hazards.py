"""Nets with one hazard each, met on every picture that is not plain grey; the survey's picture is."""

import ctypes
import os
import resource
import socket
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, nn

from tests.viz.subjects import Counting, subject
from viz.engine.process.messages import Ask
from viz.engine.task import Bench, Question, Shelf
from viz.pictures import own_donors
from viz.pictures.subject import Loader, Subject

HELD: list[Tensor] = []


@dataclass(frozen=True)
class Whose(Question[int]):
    """The number of the process that answers; it is about no model, and never kept."""

    asked: int

    @property
    def key(self) -> Hashable:
        """Another one each time."""
        return self.asked

    def work(self, _: Bench) -> int:
        """See ``Task``."""
        return os.getpid()


@dataclass(frozen=True)
class Going(Question[bool]):
    """The begin of work that goes on as long as a file is there; it is about no model, and never kept."""

    path: str
    shelf: Shelf = ""

    @property
    def key(self) -> Hashable:
        """One for all who ask."""
        return self.path

    def goes_on(self, answer: bool) -> bool:
        """As the last answer said."""
        return answer

    def work(self, _: Bench) -> bool:
        """Return whether the file is there; each question is noted beside it."""
        with Path(f"{self.path}.asked").open("a", encoding="ascii") as asked:
            asked.write(f"{os.getpid()}\n")
        return Path(self.path).exists()


def loader(ask: Ask) -> Loader:
    """A loader whose model ``asked`` is made of weights that the page holds."""
    own_donors.look_elsewhere(lambda name: ask("picture", name))

    def load_or_ask(model: str, weights: str) -> Subject:
        if model == "asked":
            found = load("counting", weights)
            found.module.load_state_dict(ask("weights", weights))
            return found
        return load(model, weights)

    return load_or_ask


def load(model: str, weights: str) -> Subject:
    """The net with the hazard that its name begins with; ``counting`` and others like it have none."""
    if model == "absent":
        raise FileNotFoundError(f"no {weights} weights for {model}")
    if model == "too_large":
        torch.ones(1 << 45)
    kind, _, more = model.partition(" ")
    if kind == "slow":
        time.sleep(float(more))
    while kind == "held" and not Path(more).exists():
        time.sleep(0.01)
    hazard = partial(wait, Path(more)) if kind == "waits" else HAZARDS.get(kind)
    return subject(Hazardous(hazard) if hazard else Counting())


class Hazardous(nn.Module):
    """A net that returns its images, unless they meet the hazard."""

    def __init__(self, hazard: Callable[[], None]) -> None:
        super().__init__()
        self.layer, self.hazard = nn.Identity(), hazard

    def forward(self, images: Tensor) -> Tensor:
        """Return the images (N, 3, 8, 8), if they are one colour."""
        if images.std() > 0:
            self.hazard()
        plain: Tensor = self.layer(images)
        return plain


def loop() -> None:
    """Hang in Python."""
    while True:
        time.sleep(0.001)


def hang() -> None:
    """Hang in C, with the interpreter's lock: no other thread of the process runs any more."""
    ctypes.PyDLL(None).sleep(1000)


def crash() -> None:
    """Read the memory at address 0."""
    ctypes.string_at(0)


def grow() -> None:
    """Take a gibibyte, and keep it."""
    HELD.append(torch.ones(1 << 28))
    time.sleep(30)


def refuse() -> None:
    """Ask for more memory than this process may have from now on, a gibibyte beyond what it has."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + (256 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    torch.ones(1 << 28)


def refuse_in_python() -> None:
    """Ask Python for more memory than any machine has."""
    bytearray(1 << 60)


def hang_up() -> None:
    """Close every socket of this process, and live on."""
    for end in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            if str(end.readlink()).startswith("socket:"):
                socket.socket(fileno=int(end.name)).shutdown(socket.SHUT_RDWR)
    time.sleep(1000)


def wait(folder: Path) -> None:
    """Begin, as many processes as the folder's name says, and never return in these."""
    (folder / str(os.getpid())).touch()
    if len(list(folder.iterdir())) <= int(folder.name):
        time.sleep(1000)


def fail() -> None:
    """Raise an error that only this module knows."""
    raise OwnError("secret of this module")


class OwnError(Exception):
    """An error that the page could not name."""


HAZARDS: dict[str, Callable[[], None]] = {
    "loops": loop,
    "hangs": hang,
    "crashes": crash,
    "grows": grow,
    "hangs_up": hang_up,
    "fails": fail,
    "refused": refuse,
    "refused_in_python": refuse_in_python,
    "exits": lambda: os._exit(3),
}
