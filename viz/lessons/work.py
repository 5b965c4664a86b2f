"""An engine's work for the course: running the lessons' parts."""

from collections.abc import Callable
from pkgutil import resolve_name

import torch

from ..engine.limits import check_cost
from ..engine.task import Bench
from ..maps.figures import save_figure
from . import every_layer, layer_numbers
from .course import LESSONS, lesson
from .line import Line, Parameters
from .tasks import CanvasTask, LessonTask

SEED = 0


def lesson_lines(task: LessonTask, bench: Bench) -> tuple[Line, ...]:
    """Return the numbers of one part; raises also as ``lines``.

    Raises:
        TooLargeError: this part takes more memory than a request may.
    """
    check_cost("this part of the lesson", LESSONS[task.number].part(task.part).cost, bench.limits)
    return lines(task.number, task.part, dict(task.given))


def canvas(task: CanvasTask, _: Bench) -> bytes:
    """Every layer of lesson 1's net on one canvas."""
    return canvas_png(task.net)


def lines(number: int, part: str, given: Parameters) -> tuple[Line, ...]:
    """Return the numbers of one part of a lesson.

    They are the same on every call.

    Args:
        number: which lesson, from 0.
        part: the part's name.
        given: parameters; those left out have their first value.

    Raises:
        RequestError: there is no such lesson or part, or no such value of a parameter.
    """
    asked = lesson(number)
    found, wanted = asked.part(part), asked.checked(given)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        numbers: Callable[[Parameters], tuple[Line, ...]] = resolve_name(f"{__package__}.{found.lines}")
        return numbers(wanted)


def canvas_png(net: str) -> bytes:
    """Return lesson 1's layers as ``hot`` heatmaps on one canvas."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return save_figure(every_layer.canvas(layer_numbers.features(net)), "png")
