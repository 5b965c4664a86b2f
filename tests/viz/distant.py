"""The tiny nets in another process: what they count, and what they wait for, stands in files."""

import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.machine import patience
from tests.viz.subjects import Counting, Failing, subject
from viz.engine.limits import Limits
from viz.engine.process import ProcessEngine
from viz.engine.process.messages import Ask
from viz.pictures import own_donors
from viz.pictures.subject import Loader, Subject

LOADER = f"{__name__}:loader"
MODULES = ("viz.views.all_layers", "viz.views.comparison", "viz.views.hook_tasks", "viz.number.tasks")
SECONDS = patience(120)


class FileEvent:
    """An event that any process can set: it is set while a file exists."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def set(self) -> None:
        """Let everybody go on."""
        self.path.touch()

    def clear(self) -> None:
        """Let everybody wait."""
        self.path.unlink(missing_ok=True)

    def wait(self, seconds: float) -> bool:
        """Return whether it was set within so many seconds."""
        until = time.monotonic() + seconds
        while not self.path.exists():
            if time.monotonic() > until:
                return False
            time.sleep(0.002)
        return True


class FileCounter:
    """Counts by name, in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __getitem__(self, name: str) -> int:
        return self._counts.get(name, 0)

    def __setitem__(self, name: str, count: int) -> None:
        self.path.write_text(json.dumps(self._counts | {name: count}), encoding="utf-8")

    def __eq__(self, other: object) -> bool:
        return self._counts == other

    __hash__ = None  # type: ignore[assignment]

    def clear(self) -> None:
        """Begin anew."""
        self.path.unlink(missing_ok=True)

    @property
    def _counts(self) -> dict[str, int]:
        return json.loads(self.path.read_text("utf-8")) if self.path.exists() else {}


class Marks:
    """Counters and gates of ``Counting``, in the files of a folder."""

    def __init__(self, folder: Path) -> None:
        self.steps = FileCounter(folder / "steps")
        self.started, self.gate = FileEvent(folder / "started"), FileEvent(folder / "gate")
        self._passes = FileCounter(folder / "passes")

    @property
    def passes(self) -> int:
        """Number of passes that began."""
        return self._passes["all"]

    @passes.setter
    def passes(self, count: int) -> None:
        self._passes["all"] = count


class DistantNet(Counting):
    """A counting net whose counts another process reads."""

    def __init__(self, folder: Path) -> None:
        self.__dict__["marks"] = Marks(folder)
        super().__init__()
        self.steps, self.started, self.gate = self.marks.steps, self.marks.started, self.marks.gate
        self.gate.set()

    @property
    def passes(self) -> int:
        """Number of passes that began."""
        return self.marks.passes

    @passes.setter
    def passes(self, count: int) -> None:
        self.marks.passes = count


class DistantShelf:
    """Marks of the nets in the other process, in the order in which they were loaded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def loaded(self) -> list[tuple[str, Marks]]:
        """The models' names, each with its net's marks."""
        return [(path.name.partition(" ")[2], Marks(path)) for path in sorted(self.folder.iterdir())]

    @property
    def net(self) -> Marks:
        """The net that was loaded last."""
        return self.loaded[-1][1]


def loader(ask: Ask) -> Loader:
    """A loader like ``Shelf`` for the other process; the page says in which folder its shelf is."""
    own_donors.look_elsewhere(lambda name: ask("picture", name))

    def load(model: str, weights: str) -> Subject:
        if model == "absent":
            raise FileNotFoundError(f"no {weights} weights for {model}")
        folder = Path(ask("shelf", ""))
        place = folder / f"{len(list(folder.iterdir())):04} {model}"
        place.mkdir()
        return subject(Failing() if model == "failing" else DistantNet(place))

    return load


class Distant:
    """An engine in another process, and the shelf that its nets are on now."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.shelf: DistantShelf | None = None
        self.engine = ProcessEngine(
            LOADER,
            device="cpu",
            limits=limits,
            modules=MODULES,
            holds={"shelf": lambda _: str(self.shelf.folder), "picture": own_donors.own_picture},
        )

    def renewed(self, folder: Path) -> DistantShelf:
        """The shelf, in a new folder, of a process that has just begun, and has kept nothing."""
        self.shelf = DistantShelf(Path(tempfile.mkdtemp(dir=folder)))
        before = self.engine.processes()
        for process in before:
            os.kill(process, signal.SIGKILL)
        until = time.monotonic() + SECONDS
        while self.engine.processes() in ([], before):
            if time.monotonic() > until:
                raise TimeoutError("no process has begun")
            time.sleep(0.005)
        return self.shelf


@contextmanager
def distant(limits: Limits | None = None) -> Iterator[Distant]:
    """An engine in another process; closed afterwards."""
    found = Distant(limits)
    try:
        yield found
    finally:
        found.engine.close()
