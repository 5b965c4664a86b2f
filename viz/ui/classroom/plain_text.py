"""Typed text made plain: nicknames of students, and a teacher's questions."""

import unicodedata

LONGEST_NICKNAME = 24  # characters
MOST_MARKS = 2  # on one letter: more of them climb over the lines above


def plain(typed: str) -> str:
    """Return text without control and format characters; lines stay lines.

    Some of these would turn its direction. Any space that is no line's end becomes a plain one, such as the
    one before a unit.
    """
    spaced = (" " if each.isspace() and each != "\n" else each for each in typed)
    return "".join(each for each in spaced if each == "\n" or each.isprintable()).strip()


def nickname_of(typed: str) -> str:
    """Return typed text as a nickname; empty if it is unreadable."""
    kept, marks = list[str](), 0
    for each in unicodedata.normalize("NFC", typed[: 40 * LONGEST_NICKNAME]):
        marks = marks + 1 if unicodedata.category(each) in {"Mn", "Me"} else 0
        if each.isspace() or (each.isprintable() and marks <= MOST_MARKS):
            kept.append(each)
    return " ".join("".join(kept).split())[:LONGEST_NICKNAME].strip()
