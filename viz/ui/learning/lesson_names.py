"""Lesson names in the address: a lesson's id, a source's number, or nothing."""

from ...course.folder import served
from ...errors import RequestError
from ...lessons.course import LESSONS
from ...text_files import FIRST_LANGUAGE

SOURCES = "sources"


def is_lesson(name: str) -> bool:
    """Return whether a name means a lesson, a source or the course's contents."""
    if name in ("", SOURCES):
        return True
    if name.isdecimal() and name.isascii():
        return int(name) < len(LESSONS)
    return any(lesson.id == name for lesson in served(FIRST_LANGUAGE))


def source_number(name: str) -> int:
    """The number of a source, from 0; the first one if none is said.

    Raises:
        RequestError: it is no number.
    """
    if name in ("", SOURCES):
        return 0
    if not (name.isdecimal() and name.isascii()):
        raise RequestError("{name} is not the number of a source.", name=repr(name[:40]))
    return int(name)
