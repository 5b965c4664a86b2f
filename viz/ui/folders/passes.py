"""The pass over a folder: each picture through the model, in order.

Each picture is a task of the engine. So the model is loaded once, a visitor's own weights work, a GPU is used
as for maps, and nobody who looks at something waits for more than one picture. What comes back is written in
the page's process, which needs no PyTorch for it.
"""

import logging
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from ...errors import (
    BusyError,
    CaptureError,
    EngineClosedError,
    ImageError,
    RateError,
    RequestError,
    SupersededError,
    VizError,
)
from ...pictures.photo import Photo
from ...sentences import Sentence
from ...views.folder.tasks import PeaksOfNext, PicturePeaks
from ..visit.service import engine
from .sources import Source
from .store import Store, vanishing_folder

Here = Callable[[], bool]
"""Whether a visitor is here still."""
State = Literal["none", "running", "stopped", "done", "failed"]
_RECENT = 30  # pictures whose time says how long the rest will take
_ENOUGH = 4  # of them, before anything is said
_PAUSE = 2.0  # seconds before a busy engine or reader is asked again
_AHEAD = 2  # pictures that are decoded, or wait for the model, at a time
_LONGEST_REASON = 300
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Progress:
    """Progress of a pass.

    Attributes:
        state: of the pass; stopped also where a pass before was interrupted.
        done: pictures that are done, readable or not.
        count: how many there are.
        seconds: left; None where that is not known.
        problem: the reason why it has failed.
    """

    state: State
    done: int
    count: int
    seconds: float | None = None
    problem: str = ""


class Pass:
    """One pass over a source with one model.

    Args:
        source: the pictures.
        model: its id, likewise ``weights``.
        folder: where the numbers are kept, also those of pictures that are the same as in a pass before;
            without one they end with the pass.
        over: whether its visit is over; None for a pass that all visitors share.
        before: the pass whose place it takes, as the pictures have changed: it stops, and this one goes on.

    Raises:
        RequestError: there is no place for the numbers.
    """

    def __init__(
        self,
        source: Source,
        model: str,
        weights: str,
        folder: Path | None = None,
        over: Callable[[], bool] | None = None,
        before: "Pass | None" = None,
    ) -> None:
        self.source, self.model, self.weights = source, model, weights
        self.is_shared, self._over = over is None, over or (lambda: False)
        self.digest = source.digest
        self.store = Store(folder, lambda: source.stamps) if folder else Store(vanishing_folder(self))
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._moments: deque[float] = deque(maxlen=_RECENT)
        self._problem = ""
        self._before = before
        self._wanted: dict[str, Here] = before.end() if before else {}
        if self._wanted:
            self._begin()

    @property
    def is_running(self) -> bool:
        """True while the pass goes on."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def count(self) -> int:
        """Number of pictures with numbers."""
        return len(self.store.pictures)

    def progress(self) -> Progress:
        """Return the pass's progress."""
        count, seen = len(self.source.names), self.store.seen
        done = sum(name in seen for name in self.source.names)
        if self.is_running:
            return Progress("running", done, count, self._left_seconds(count - done))
        if self._problem:
            return Progress("failed", done, count, problem=self._problem)
        if count and done >= count:
            return Progress("done", done, count)
        return Progress("stopped" if done else "none", done, count)

    def _left_seconds(self, left: int) -> float | None:
        moments = list(self._moments)
        if len(moments) < _ENOUGH:
            return None
        return (moments[-1] - moments[0]) / (len(moments) - 1) * left

    def wants(self, visitor: str) -> bool:
        """Return whether a visitor wants the pass to go on."""
        return visitor in self._wanted

    def start(self, visitor: str, here: Here) -> None:
        """Go on while pictures are left and a visitor wants it."""
        with self._lock:
            self._wanted[visitor] = here
            if not self.is_running:
                self._begin()

    def stop(self, visitor: str) -> None:
        """Stop after the current picture, unless somebody else wants the pass."""
        with self._lock:
            self._wanted.pop(visitor, None)

    def end(self) -> dict[str, Here]:
        """Stop, even if visitors want it; return those who did."""
        with self._lock:
            wanted, self._wanted = self._wanted, {}
        return wanted

    def wait(self) -> None:
        """Wait until it has stopped."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _begin(self) -> None:
        self._problem = ""
        self._moments.clear()
        self._thread = threading.Thread(target=self._run, name="layerglass-pass", daemon=True)
        self._thread.start()

    def _goes_on(self) -> bool:
        """Return whether anybody who is here still wants the pass."""
        with self._lock:
            left = {} if self._over() else self._wanted
            self._wanted = {visitor: here for visitor, here in left.items() if here()}
            return bool(self._wanted)

    def _run(self) -> None:
        before, self._before = self._before, None
        if before:
            before.wait()
        while self._goes_on():  # again for whoever began to want it while it came to its end
            self._try()
        with self._lock:
            self._thread = None
            if self._wanted:
                self._begin()

    def _try(self) -> None:
        try:
            with self.store.writing():
                self._look()
        except EngineClosedError:
            self.end()  # the server ends: another one goes on
        except VizError as error:
            self._fail(str(error))
        except Exception:
            log.exception("a pass over a folder has failed")
            self._fail(Sentence("this is a bug: the server's log says more"))

    def _fail(self, problem: str) -> None:
        self._problem = problem
        self.end()

    def _look(self) -> None:
        waiting: deque[tuple[_File, Future[PicturePeaks]]] = deque()
        for name, stamp in self._left():
            photo = self._photo(name, stamp)
            if photo is not None:
                waiting.append((_File(name, stamp, photo), self._asked(photo)))
            while len(waiting) >= _AHEAD:
                self._take(*waiting.popleft())
        while waiting:
            self._take(*waiting.popleft())
        if self.store.seen.issuperset(self.source.names):
            self.end()

    def _left(self) -> Iterator[tuple[str, str]]:
        """Yield the pictures to do, also new ones, while anybody wants it."""
        seen = self.store.seen
        while fresh := [name for name in self.source.names if name not in seen]:
            stamps = self.source.stamps
            for name in fresh:
                if not self._goes_on():
                    return
                seen.add(name)
                yield name, stamps.get(name, "")

    def _photo(self, name: str, stamp: str) -> Photo | None:
        while self._goes_on():
            try:
                return self.source.photo(name, self._visitor)
            except ImageError as error:
                if not isinstance(error.__cause__, BusyError):
                    self.store.leave_out(name, _short(error), stamp)
                    return None
            time.sleep(_PAUSE)
        return None

    @property
    def _visitor(self) -> str:
        """The pass's name as a visitor with a turn of its own."""
        return f"{self.source.kind} {id(self)}"

    def _asked(self, photo: Photo) -> "Future[PicturePeaks]":
        """Request a picture's peaks; a refusal comes as the future's exception."""
        task = PeaksOfNext(photo, self.model, self.weights)
        try:
            return engine().do(task, visitor=self._visitor, urgent=False)
        except (BusyError, RateError) as error:
            refused: Future[PicturePeaks] = Future()
            refused.set_exception(error)
            return refused

    def _take(self, file: "_File", coming: "Future[PicturePeaks]") -> None:
        """Write a picture's peaks; they are requested again while others go first."""
        while True:
            try:
                self.store.add(file.name, file.photo.image.size, coming.result(), file.stamp)
                self._check_room()
            except (BusyError, RateError, SupersededError):
                if not self._goes_on():
                    return
                time.sleep(_PAUSE)
                coming = self._asked(file.photo)
            except CaptureError as error:
                self.store.leave_out(file.name, _short(error), file.stamp)
                break
            else:
                break
        self._moments.append(time.monotonic())

    def _check_room(self) -> None:
        """Refuse a pass that would fill the disk.

        Raises:
            RequestError: it would take more than half of what is free.
        """
        left = len(self.source.names) - self.store.done
        needed, free = left * self.store.record_bytes, shutil.disk_usage(self.store.folder).free
        if needed > free // 2:
            raise RequestError(
                "this pass would take {needed} GB on the server's disk, where {free} GB are free",
                needed=round(needed / 1e9, 1),
                free=round(free / 1e9, 1),
            )


class _File(NamedTuple):
    """A picture under way: its name, stamp and photo."""

    name: str
    stamp: str
    photo: Photo


def _short(error: Exception) -> str:
    """Return an error's sentence, or its beginning if it is long."""
    said = str(error)
    short = " ".join(said.split())[:_LONGEST_REASON]
    return said if said == short else short
