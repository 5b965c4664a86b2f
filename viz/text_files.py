"""Texts that teachers write, in a folder for each language.

The files have names such as ``3-calls.md``.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

FIRST_LANGUAGE = "en"
_NAME = re.compile(r"([0-9]+)-([a-z][a-z0-9-]*)\.md")


def languages(folder: Path) -> list[str]:
    """Return a folder's languages, by the names of its folders."""
    return sorted(each.name for each in folder.iterdir() if each.is_dir())


def spoken(folder: Path, language: str) -> str:
    """Return a language that the folder has, preferably the given one.

    English comes next, then any other.
    """
    known = languages(folder)
    return next(each for each in (language, FIRST_LANGUAGE, *known) if each in known)


def in_order(folder: Path, language: str) -> list[Path]:
    """Return a language's files by their leading numbers.

    Files without one come first.
    """
    return sorted((folder / language).glob("*.md"), key=_place)


def id_of(file: Path) -> str:
    """Return a file's id, its name after its number.

    It is empty if the name has another form.
    """
    said = _NAME.fullmatch(file.name)
    return said[2] if said else ""


def text_of(file: Path, refusal: Callable[[int], Exception]) -> str:
    """Return a file's text, without the mark that some editors put first.

    Args:
        file: of UTF-8.
        refusal: the error for a file that is not, given the line where that is seen, from 1.
    """
    try:
        return file.read_text(encoding="utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise refusal(error.object.count(b"\n", 0, error.start) + 1) from None


def joined(parts: Iterable[str]) -> str:
    """Join lines into one, without spaces in Chinese."""
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
