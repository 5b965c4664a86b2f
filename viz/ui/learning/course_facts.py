"""A lesson of the course for the browser: text, code, numbers."""

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from ...answers.teaching.learning import (
    DescribedPicture,
    LessonChoice,
    LessonFacts,
    LessonLine,
    LessonNumbers,
    LessonPart,
)
from ...lessons.course import LESSONS, Choice, Part, lesson, source
from ...lessons.line import Line
from ..locale.words import say
from .rendered import rendered, said_in_html


def course_facts(number: int, language: str) -> LessonFacts:
    """A lesson's text, its choices, and its parts with their code.

    Texts are HTML, and titles are plain text.

    Raises:
        RequestError: there is no such lesson.
    """
    found = lesson(number)
    return LessonFacts(
        lessons=len(LESSONS),
        title=say(language, f"course_title_{number}"),
        text=said_in_html(language, f"course_text_{number}"),
        choices=tuple(_choice_facts(choice, language) for choice in found.choices),
        parts=tuple(_part_facts(part, language) for part in found.parts),
        hints=said_in_html(language, f"course_try_{number}"),
        traps=said_in_html(language, f"course_traps_{number}"),
    )


def lines_facts(
    lines: Sequence[Line], language: str, canvas: DescribedPicture | UnsetType = UNSET
) -> LessonNumbers:
    """The numbers of a part beside the expected ones.

    A sentence about all of them comes along, and maybe a picture.
    """
    wrong = sum(not line.right for line in lines)
    verdict = (
        say(language, "course_some_wrong", count=wrong, all=len(lines))
        if wrong
        else say(language, "course_all_right", count=len(lines))
    )
    return LessonNumbers(
        lines=tuple(_line_facts(line, language) for line in lines), verdict=verdict, canvas=canvas
    )


def _choice_facts(choice: Choice, language: str) -> LessonChoice:
    label = say(language, f"course_choice_{choice.name}")
    return LessonChoice(name=choice.name, label=label, values=choice.values, first=choice.first)


def _part_facts(part: Part, language: str) -> LessonPart:
    return LessonPart(
        name=part.name,
        title=say(language, f"course_part_{part.name}"),
        text=said_in_html(language, f"course_part_{part.name}_text"),
        plain=source(part.plain),
        ours=source(part.ours) if part.ours else None,
    )


def _line_facts(line: Line, language: str) -> LessonLine:
    label = rendered(say(language, f"course_line_{line.key}", name=line.name))
    return LessonLine(label=label, expected=line.expected, found=line.found, right=line.right)
