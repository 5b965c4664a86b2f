"""Parsing of a plan's file; errors name the file and line.

The browser reads the plans that teachers open there by itself: ``viz/ui/browser/plan/reading.js``. Both pass
the same cases, ``tests/plan_vectors.json``.
"""

from ..course.blocks import LessonError, TextBlock, check_python
from .parts import Part, parts, plain
from .plan import Plan, PlanStep
from .questions import asked

MOST_MINUTES = 60


def plan_from(text: str, identity: str, path: str) -> Plan:
    """Return the plan that a file's text says.

    Args:
        text: the whole file.
        identity: the plan's id, which its file's name says.
        path: the file, as errors name it.

    Raises:
        LessonError: the text says something that cannot be.
    """
    beginning, steps = parts(text, path)
    return Plan(
        id=identity,
        title=beginning.heading.text,
        about=beginning.said("about"),
        net=beginning.said("net"),
        picture=beginning.said("picture"),
        steps=tuple(_step(part, path) for part in steps),
        path=path,
    )


def _step(part: Part, path: str) -> PlanStep:
    code = part.of("code")
    if len(code) > 1:
        raise LessonError(path, code[1].line, "a step has one block of code, and this is the second.")
    for block in code:
        check_python(block, path)
    after = next((block.line for block in part.of("after")), None)
    before = [block for block in part.of("text") if after is None or block.line < after]
    return PlanStep(
        title=part.heading.text,
        minutes=_minutes(part, path),
        look=part.said("look"),
        net=part.said("net"),
        picture=part.said("picture"),
        text=tuple(plain(block.text) for block in before),
        note=tuple(plain(block.text) for block in part.of("note")),
        question=asked(part, path),
        code=code[0].text if code else "",
        line=part.heading.line,
    )


def _minutes(part: Part, path: str) -> int:
    said: TextBlock | None = part.header("minutes")
    if said is None:
        title = part.heading.text
        raise LessonError(path, part.heading.line, "“{title}” needs a header minutes.", title=title)
    if not (said.text.isascii() and said.text.isdecimal()) or not 0 < int(said.text) <= MOST_MINUTES:
        sentence = "minutes are a whole number from 1 to {most}, not {text}."
        raise LessonError(path, said.line, sentence, most=MOST_MINUTES, text=said.text)
    return int(said.text)
