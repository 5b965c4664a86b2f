"""Lesson names in the address: an id, a number or nothing."""

from ...course.folder import served
from ...errors import RequestError
from ...lessons.course import LESSONS
from ...text_files import FIRST_LANGUAGE

SOURCES = "sources"


def is_lesson(name: str) -> bool:
    """Return whether a name means a lesson, a source or the contents."""
    if name in ("", SOURCES):
        return True
    if name.isdecimal() and name.isascii():
        return int(name) < len(LESSONS)
    return any(lesson.id == name for lesson in served(FIRST_LANGUAGE))


def source_number(name: str) -> int:
    """The number of a source, counted from 0.

    A name without a number means the first one.

    Raises:
        RequestError: it is no number.
    """
    if name in ("", SOURCES):
        return 0
    if not (name.isdecimal() and name.isascii()):
        raise RequestError("{name} is not the number of a source.", name=repr(name[:40]))
    return int(name)
