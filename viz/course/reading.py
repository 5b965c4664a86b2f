"""Parser of a lesson's file.

Errors name the file and the line in one sentence.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from .blocks import LessonError, TextBlock, blocks, check_python
from .lesson import Lesson, Step, StepPicture
from .predictions import choices_in, guess_in
from .values import expressions_in

OF_LESSON = ("about", "net", "minutes", "exercises")
OF_STEP = ("look", "lit", "draw", "maps", "guess", "answer", "holds")
REPEATED = ("draw", "holds")
MOST_MINUTES = 60


@dataclass
class _Part:
    """The blocks of a lesson's beginning, or of one step."""

    heading: TextBlock
    blocks: list[TextBlock] = field(default_factory=list)

    def of(self, kind: str) -> list[TextBlock]:
        return [block for block in self.blocks if block.kind == kind]

    def named(self, name: str) -> list[TextBlock]:
        return [block for block in self.of("header") if block.name == name]

    def header(self, name: str) -> TextBlock | None:
        return next(iter(self.named(name)), None)


def lesson_from(text: str, identity: str, path: str) -> Lesson:
    """Return the lesson that a file's text says.

    Args:
        text: the whole file.
        identity: the lesson's id, which its file's name says.
        path: the file, as errors name it.

    Raises:
        LessonError: the text says something that cannot be.
    """
    beginning, *steps = _parts(text, path)
    _check_headers(beginning, OF_LESSON, path)
    if not steps:
        raise LessonError(path, beginning.heading.line, "this lesson has no step: a step begins with ##.")
    for block in beginning.blocks:
        if block.kind != "header":
            raise LessonError(path, block.line, "this belongs to no step: a step begins with ##.")
    return Lesson(
        id=identity,
        title=beginning.heading.text,
        about=_needed(beginning, "about", path).text,
        net=_needed(beginning, "net", path).text,
        minutes=_minutes(_needed(beginning, "minutes", path), path),
        exercises=_listed(beginning.header("exercises"), ","),
        steps=tuple(_step(part, path) for part in steps),
        path=path,
    )


def _parts(text: str, path: str) -> list[_Part]:
    """The beginning with the lesson's own headers, and then each step."""
    parts: list[_Part] = []
    for block in blocks(text, path):
        if (block.kind == "lesson") != (not parts) and block.kind in ("lesson", "step"):
            which = "the lesson's title, a line that begins with #, stands once and first."
            raise LessonError(path, block.line, which)
        if block.kind in ("lesson", "step"):
            parts.append(_Part(block))
        elif not parts:
            raise LessonError(path, block.line, "a lesson begins with its title: a line that begins with #.")
        else:
            parts[-1].blocks.append(block)
    if not parts:
        raise LessonError(path, 1, "this file is empty: a lesson begins with its title after a #.")
    return parts


def _check_headers(part: _Part, known: Sequence[str], path: str) -> None:
    seen: set[str] = set()
    for block in part.of("header"):
        if block.name not in known:
            raise LessonError(
                path,
                block.line,
                "there is no header {name}: here are {names}.",
                name=block.name,
                names=", ".join(known),
            )
        if block.name in seen and block.name not in REPEATED:
            raise LessonError(path, block.line, "the header {name} stands here twice.", name=block.name)
        if not block.text:
            raise LessonError(path, block.line, "the header {name} says nothing.", name=block.name)
        seen.add(block.name)


def _needed(part: _Part, name: str, path: str) -> TextBlock:
    found = part.header(name)
    if found is None:
        where = part.heading
        raise LessonError(path, where.line, "“{title}” needs a header {name}.", title=where.text, name=name)
    return found


def _minutes(block: TextBlock, path: str) -> int:
    if not block.text.isdecimal() or not 0 < int(block.text) <= MOST_MINUTES:
        raise LessonError(
            path,
            block.line,
            "minutes are a whole number from 1 to {most}, not {text}.",
            most=MOST_MINUTES,
            text=block.text,
        )
    return int(block.text)


def _listed(block: TextBlock | None, between: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in block.text.split(between) if part.strip()) if block else ()


def _step(part: _Part, path: str) -> Step:
    _check_headers(part, OF_STEP, path)
    code = _only(part, "code", path)
    question, answer = _only(part, "question", path), part.header("answer")
    look = part.header("look")
    found = Step(
        title=part.heading.text,
        text=tuple(block.text for block in _before(part)),
        look=look.text if look else "",
        code=code.text if code else "",
        lit=_lit(part.header("lit"), code, path),
        draw=tuple(_shown(block, path) for block in part.named("draw")),
        question=question.text if question else "",
        choices=choices_in(part.blocks, part.heading.line, path),
        maps=_maps(part.header("maps"), path),
        guess=guess_in(part.header("guess"), path),
        answer=_expression(answer.text, answer, path) if answer else "",
        after=_after(part, path),
        holds=tuple(_expression(block.text, block, path) for block in part.named("holds")),
        line=part.heading.line,
    )
    _check_step(found, code, path)
    return found


def _check_step(step: Step, code: TextBlock | None, path: str) -> None:
    """Check that the parts of a step belong together."""
    if code:
        check_python(code, path)
    ways = sum(bool(way) for way in (step.choices, step.maps, step.guess))
    rules = (
        (not step.text, "this step says nothing: write a sentence below its headers."),
        (
            bool(step.question) and ways == 0,
            "this step asks a question: give it choices (- …), maps or a guess.",
        ),
        (ways > 1, "a question has choices, maps or a guess: one of the three."),
        (
            not step.question and ways == 1,
            "there are answers here, but no question: a line that begins with ?.",
        ),
        (
            step.asks and not step.after,
            "this step asks something: say why after the run, in a line that begins with !.",
        ),
        (
            not code and (step.asks or bool(step.draw) or bool(step.holds)),
            "this step has no code that could be run.",
        ),
        (
            bool(step.maps) and not step.answer,
            "a choice of maps needs a header answer: the map that is right.",
        ),
        (len(step.choices) == 1 or len(step.maps) == 1, "a single choice is none: give at least two."),
    )
    for broken, sentence in rules:
        if broken:
            raise LessonError(path, step.line, sentence)


def _only(part: _Part, kind: str, path: str) -> TextBlock | None:
    found = part.of(kind)
    if len(found) > 1:
        what = "block of code" if kind == "code" else kind
        raise LessonError(path, found[1].line, "a step has one {what}, and this is the second.", what=what)
    return found[0] if found else None


def _before(part: _Part) -> list[TextBlock]:
    """Return a step's paragraphs before the first ``!``.

    The others come after the run.
    """
    first = next((block.line for block in part.of("after")), None)
    return [block for block in part.of("text") if first is None or block.line < first]


def _after(part: _Part, path: str) -> tuple[str, ...]:
    first = next((block.line for block in part.of("after")), None)
    if first is None:
        return ()
    found = [block for block in part.blocks if block.line >= first and block.kind in ("after", "text")]
    for block in found:
        try:
            inside = expressions_in(block.text)
        except ValueError as error:
            raise LessonError(
                path, block.line, "these braces hold no value: {why}.", why=str(error)
            ) from None
        for expression in inside:
            _expression(expression, block, path)
    return tuple(block.text for block in found)


def _lit(block: TextBlock | None, code: TextBlock | None, path: str) -> tuple[int, ...]:
    """Return the numbers of the lines that contain the header's text."""
    if block is None:
        return ()
    if code is None:
        raise LessonError(path, block.line, "this step has no code of which a line could be lit.")
    lines = code.text.splitlines()
    found = []
    for words in _listed(block, "|"):
        where = [number for number, line in enumerate(lines, 1) if words in line]
        if len(where) != 1:
            says = "no line of the code contains" if not where else "more than one line of the code contains"
            raise LessonError(path, block.line, "{says} {words}.", says=says, words=words)
        found += where
    return tuple(sorted(found))


def _shown(block: TextBlock, path: str) -> StepPicture:
    expression, equals, caption = block.text.partition(" = ")
    if not equals:
        raise LessonError(
            path, block.line, "write draw: what = the line below it; {text} has no =.", text=block.text
        )
    return StepPicture(_expression(expression.strip(), block, path), caption.strip())


def _maps(block: TextBlock | None, path: str) -> tuple[StepPicture, ...]:
    """Return the pictures to choose among.

    The text below each is for after the run.
    """
    if block is None:
        return ()
    parts = [part.partition(" = ") for part in _listed(block, "|")]
    return tuple(
        StepPicture(_expression(expression.strip(), block, path), caption.strip())
        for expression, _, caption in parts
    )


def _expression(text: str, block: TextBlock, path: str) -> str:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        raise LessonError(path, block.line, "{text} is no expression of Python.", text=text) from None
    return text
