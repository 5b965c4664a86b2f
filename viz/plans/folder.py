"""Folders of the plans that come along, one for each language."""

from functools import cache
from pathlib import Path

from ..course.blocks import LessonError, text_in
from ..text_files import id_of, in_order, spoken
from .plan import Plan
from .reading import plan_from

TEXTS = Path(__file__).with_name("texts")


def read_plans(folder: Path, language: str) -> tuple[Plan, ...]:
    """Return the plans of a folder in one language, in their order.

    Raises:
        LessonError: one of them cannot be read.
        OSError: there is no such folder.
    """
    return tuple(_read(file) for file in in_order(folder, language))


def _read(file: Path) -> Plan:
    name, path = id_of(file), f"{file.parent.name}/{file.name}"
    if not name:
        raise LessonError(path, 1, "a plan's file is named like 2-in-place.md: its place, and its id.")
    return plan_from(text_in(file, path), name, path)


@cache
def served(language: str) -> tuple[tuple[str, str], ...]:
    """Return the id and text of each plan that comes along.

    They are in the language if there are any in it, or else in English.
    """
    files = in_order(TEXTS, spoken(TEXTS, language))
    return tuple((id_of(file), file.read_text(encoding="utf-8")) for file in files)
