"""A step's run: the order of its lines, and its values."""

import ast
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from ..pictures.alike import look_alike
from .found import PaintedValue, StepResult
from .painting import painted_choices, painted_together
from .tasks import StepRun
from .values import written

NAME = "<step>"  # what tracebacks call the code
MOST_LINES = 200  # of the order in which lines ran
MOST_PRINTED = 60
Tracer = Callable[[FrameType, str, Any], Any]


@dataclass
class CodeRun:
    """Record of a run: printed lines, lines that ran, and error."""

    printed: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    error: str = ""


def ran(code: str, names: dict[str, Any]) -> CodeRun:
    """Run a step's code in a namespace, which keeps its definitions.

    What it prints is kept, not printed: other threads print too. An exception ends the run and is kept.
    """
    found = CodeRun()
    names["print"] = _printer(found.printed)
    before = sys.gettrace()
    sys.settrace(_tracer(found.lines))
    try:
        exec(compile(code, NAME, "exec"), names)  # noqa: S102  # a lesson's file, chosen by who serves it
    except Exception as error:  # noqa: BLE001  # whatever a lesson wants to show, or gets wrong
        found.error = f"{type(error).__name__}: {error}"
    finally:
        sys.settrace(before)
    return found


def found_in(names: Mapping[str, Any], run: StepRun, done: CodeRun, seen: Callable[[], bytes]) -> StepResult:
    """Return a step's result, read off a namespace after its run.

    Args:
        names: the namespace.
        run: what was run.
        done: its record.
        seen: gives the picture as the net sees it, as PNG.
    """
    known = {**names, "printed": done.printed}

    def value(expression: str) -> Any:
        return eval(expression, known)  # noqa: S307  # likewise a lesson's file

    said = tuple(done.printed[-1:]) or ("",)
    if done.error:
        return StepResult(tuple(done.printed), tuple(done.lines), said[0], error=done.error)
    answer = value(run.answer) if run.answer else said[0]
    maps = [value(each) for each in run.maps]
    place, painted = _place(answer, maps), painted_choices(maps)
    draw = [value(each) for each in run.draw]
    return StepResult(
        printed=tuple(done.printed),
        ran=tuple(by_statement(done.lines, run.code)),
        answer="" if maps else written(answer),
        place=place,
        alike=() if place is None else _alike(place, painted),
        draw=painted_together(draw, names["picture"], seen),
        maps=painted,
        values=tuple((label, written(value(expression), form)) for label, expression, form in run.sentences),
    )


def by_statement(lines: Sequence[int], code: str) -> list[int]:
    """Return the lines that ran, with each long statement once.

    A statement of several lines has the number of its first line.
    """
    first = {
        line: node.lineno
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.lineno != node.end_lineno
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    found: list[int] = []
    for line in lines:
        goes_on = line in first and found[-1:] == [first[line]]
        if not goes_on:
            found.append(first.get(line, line))
    return found


def _place(answer: Any, maps: list[Any]) -> int | None:
    """Return the place of the first map that equals the answer."""
    equal = (each.shape == answer.shape and bool((each == answer).all()) for each in maps)
    return next((place for place, is_it in enumerate(equal) if is_it), None)


def _alike(place: int, painted: Sequence[PaintedValue]) -> tuple[int, ...]:
    """Return the places of maps that look like one of them."""
    others = (each for each in range(len(painted)) if each != place)
    return tuple(each for each in others if look_alike(painted[each].png, painted[place].png))


def _printer(printed: list[str]) -> Callable[..., None]:
    def keep(*values: Any, sep: str = " ", **_: Any) -> None:
        if len(printed) < MOST_PRINTED:
            printed.extend(sep.join(map(str, values)).splitlines() or [""])

    return keep


def _tracer(lines: list[int]) -> Tracer:
    def line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line" and len(lines) < MOST_LINES:
            lines.append(frame.f_lineno)
        return line

    def call(frame: FrameType, _: str, __: Any) -> Any:
        return line if frame.f_code.co_filename == NAME else None

    return call
