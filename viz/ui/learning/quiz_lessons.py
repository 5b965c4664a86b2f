"""Lessons of the course by kind of quiz question, in one table."""

from ...course.folder import served
from ..locale.words import browser_words

HOOK, INPUTS, GRADIENTS, EDITING = "what-is-a-hook", "inputs", "gradients", "editing"  # the lessons' ids
LESSONS = {
    "photo": HOOK,
    "outlines": HOOK,
    "depth": HOOK,
    "relu": INPUTS,
    "pool": INPUTS,
    "output": INPUTS,
    "layer": HOOK,
    "shape": INPUTS,
    "channel": EDITING,
    "edit": EDITING,
    "fires": HOOK,
    "sees": INPUTS,
    "fate": GRADIENTS,
    "gate": GRADIENTS,
}


def lesson_of(kind: str, language: str) -> tuple[str, str]:
    """Return the id and title of the lesson about a question's kind.

    Where an operator's own course has no such lesson: an empty id, which is its contents, and their name.
    """
    titles = {lesson.id: lesson.title for lesson in served(language)}
    lesson = LESSONS[kind]
    return (
        (lesson, titles[lesson]) if lesson in titles else ("", str(browser_words(language)["course_title"]))
    )
