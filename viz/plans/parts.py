"""A plan's text in parts: its beginning and its steps."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from ..course.blocks import MARKS, LessonError, Marks, TextBlock, blocks

OF_PLAN = ("about", "net", "picture")
OF_STEP = ("look", "minutes", "net", "picture", "ask", "guess", "answer")
PLAN_MARKS: Marks = MappingProxyType({**MARKS, ">": "note"})
ESCAPE = "\\"  # before a paragraph's first letter where that would say what the paragraph is


@dataclass
class Part:
    """The blocks of a plan's beginning, or of one step."""

    heading: TextBlock
    blocks: list[TextBlock] = field(default_factory=list)

    def of(self, *kinds: str) -> list[TextBlock]:
        """The blocks of these kinds."""
        return [block for block in self.blocks if block.kind in kinds]

    def header(self, name: str) -> TextBlock | None:
        """The header of this name."""
        return next((block for block in self.of("header") if block.name == name), None)

    def said(self, name: str) -> str:
        """Return the text of the header of this name; empty without one."""
        found = self.header(name)
        return found.text if found else ""


def parts(text: str, path: str) -> tuple[Part, list[Part]]:
    """Return a plan's beginning, and its steps.

    Raises:
        LessonError: it has another form.
    """
    found: list[Part] = []
    for block in blocks(text, path, PLAN_MARKS):
        if not found and block.kind != "lesson":
            raise LessonError(path, block.line, "a lesson begins with its title, a line that begins with #.")
        if found and block.kind == "lesson":
            raise LessonError(path, block.line, "a lesson has one title: a step begins with ##.")
        if block.kind in ("lesson", "step"):
            found.append(Part(block))
        else:
            found[-1].blocks.append(block)
    if not found:
        raise LessonError(
            path, 1, "this file is empty: a lesson begins with its title, a line that begins with #."
        )
    beginning, *steps = found
    _check_beginning(beginning, steps, path)
    for step in steps:
        _check_headers(step, OF_STEP, path)
    return beginning, steps


def _check_beginning(beginning: Part, steps: Sequence[Part], path: str) -> None:
    _check_headers(beginning, OF_PLAN, path)
    for block in beginning.blocks:
        if block.kind != "header":
            raise LessonError(path, block.line, "this belongs to no step: a step begins with ##.")
    if not steps:
        raise LessonError(path, beginning.heading.line, "this lesson has no step: a step begins with ##.")


def _check_headers(part: Part, known: Sequence[str], path: str) -> None:
    seen: set[str] = set()
    for block in part.of("header"):
        name, names = block.name, ", ".join(known)
        if name not in known:
            raise LessonError(
                path, block.line, "there is no header {name}: here are {names}.", name=name, names=names
            )
        if name in seen:
            raise LessonError(path, block.line, "the header {name} stands here twice.", name=name)
        if not block.text:
            raise LessonError(path, block.line, "the header {name} says nothing.", name=name)
        seen.add(name)


def plain(text: str) -> str:
    """Return a paragraph without the sign that escapes its first letter."""
    return text.removeprefix(ESCAPE)
