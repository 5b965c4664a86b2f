"""Texts that teachers write: a folder for each language, with files such as ``3-calls.md``; their lines."""

import re
from collections.abc import Iterable
from pathlib import Path

FIRST_LANGUAGE = "en"
_NAME = re.compile(r"([0-9]+)-([a-z][a-z0-9-]*)\.md")


def languages(folder: Path) -> list[str]:
    """Return the languages of a folder of texts: the names of the folders in it."""
    return sorted(each.name for each in folder.iterdir() if each.is_dir())


def spoken(folder: Path, language: str) -> str:
    """Return a language if a folder speaks it, or else English, or else any that it speaks."""
    known = languages(folder)
    return next(each for each in (language, FIRST_LANGUAGE, *known) if each in known)


def in_order(folder: Path, language: str) -> list[Path]:
    """Return a language's files by the number that each begins with; those without one come first."""
    return sorted((folder / language).glob("*.md"), key=_place)


def id_of(file: Path) -> str:
    """Return a file's id: its name after its place; empty if the name has another form."""
    said = _NAME.fullmatch(file.name)
    return said[2] if said else ""


def joined(parts: Iterable[str]) -> str:
    """Return lines as one: Chinese is written without a space where a line ends."""
    text = ""
    for part in parts:
        wide = text and (_is_wide(text[-1]) or _is_wide(part[0]))
        text += part if wide or not text else f" {part}"
    return text


def _place(file: Path) -> tuple[int, str]:
    said = _NAME.fullmatch(file.name)
    return (int(said[1]) if said else 0), file.name


def _is_wide(letter: str) -> bool:
    return "\u3000" <= letter <= "\u9fff" or "\uff00" <= letter <= "\uffef"
