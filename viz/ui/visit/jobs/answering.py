"""Visitors' answers to exercises, each run in its own process (``viz.reader``)."""

import atexit
import os
import threading
from collections.abc import Mapping
from functools import cache
from typing import Any

from PIL import Image
from starlette.types import Scope

from ....errors import RequestError, TooLargeError
from ....exercises.asked import RunRequest
from ....exercises.exercise import YOURS, Exercise
from ....pictures.samples import sample
from ....reader import Bounds, JobError, Reader
from ....system import processes
from ..direct import is_of_this_machine
from . import answer_jobs

ALLOW_CODE = "LAYERGLASS_ALLOW_CODE"
BOUNDS = Bounds(seconds=6, memory=1_500_000_000, answer=1 << 20)
LONGEST_SIDE = 640  # pixels: more than a net of the exercises looks at
IDLE_SECONDS = 900.0  # after which the nursery is ended: PyTorch in one more process takes memory


class _Runner:
    """The reader of answers, which ends after a long pause."""

    def __init__(self) -> None:
        jobs = {"answer": f"{answer_jobs.__name__}:{answer_jobs.answer.__name__}"}
        self.reader = Reader(jobs, ahead=f"{answer_jobs.__name__}:{answer_jobs.ahead.__name__}")
        self._lock = threading.Lock()
        self._ending: threading.Timer | None = None
        atexit.register(self.reader.close)

    def stay(self) -> None:
        """Stay for some time from now on."""
        with self._lock:
            if self._ending is not None:
                self._ending.cancel()
            self._ending = threading.Timer(IDLE_SECONDS, self.reader.close)
            self._ending.daemon = True
            self._ending.start()


@cache
def runner() -> _Runner:
    """The one runner of this process."""
    return _Runner()


def get_ready() -> None:
    """Start the runner of answers before the first one comes."""
    if processes.COPIES:
        runner().stay()
        runner().reader.start()


def check_answer(
    exercise: Exercise, code: str, picture: Image.Image, *, visitor: str, whole: bool = False
) -> dict[str, Any]:
    """Run an answer, and return its result: a plain ``viz.exercises.job.AnswerResult``.

    Args:
        exercise: what was asked.
        code: what the visitor wrote.
        picture: the visitor's own, if the exercise is about that.
        visitor: whose answer it is; one runs at a time.
        whole: whether it is whole Python.

    Raises:
        RequestError: it takes too much, or it cannot be run on this system at all.
        BusyError: too many others' answers are being run.
    """
    if not processes.COPIES:
        raise RequestError(
            "This system cannot run an answer in a process of its own, so answers are not run."
        )
    image = _small(picture if exercise.picture == YOURS else sample(exercise.picture))
    options = {"size": image.size, "asked": RunRequest.of(exercise, code, whole=whole).to_plain()}
    runner().stay()
    try:
        found, _ = runner().reader.read("answer", image.tobytes(), options, BOUNDS, visitor=visitor)
    except TooLargeError as error:
        raise RequestError(
            "This answer takes more time or memory than an exercise may: does a loop or a function never end?"
        ) from error
    except JobError as error:
        raise RequestError(error.says) from error
    return found


def _small(picture: Image.Image) -> Image.Image:
    image = picture.convert("RGB")
    if max(image.size) <= LONGEST_SIDE:
        return image
    share = LONGEST_SIDE / max(image.size)
    width, height = (max(1, round(side * share)) for side in image.size)
    return image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)


def may_run_whole(scope: Scope, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a request may bring whole Python.

    Only one from this machine may, if its operator allows it.
    """
    return environment.get(ALLOW_CODE) == "1" and is_of_this_machine(scope)
