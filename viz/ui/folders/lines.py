"""The lines of a pass, one for each picture.

Those before any damage count.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...sentences import Sentence

Size = tuple[int, int]


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A picture's line: its sizes or its problem, and a stamp.

    Attributes:
        photo: (width, height) as it is; None if it could not be looked at.
        input: (height, width) of what the model was given.
        problem: why it could not be looked at; None if it could. In the file, a ``Sentence`` as plain values.
        stamp: tells it from another picture of its name.
    """

    picture: str
    photo: Size | None = None
    input: Size = (0, 0)
    problem: str | dict[str, Any] | None = None
    stamp: str = ""


def as_line(said: Line) -> bytes:
    """Return a line as the file has it."""
    if isinstance(said.problem, Sentence):
        said = msgspec.structs.replace(said, problem=said.problem.to_plain())
    return msgspec.json.encode(said) + b"\n"


def lines_in(path: Path) -> Iterator[tuple[Line, int]]:
    """Yield each whole line, and its end in bytes, before any damage."""
    try:
        text = path.read_bytes()
    except OSError:
        return
    begun = 0
    while (end := text.find(b"\n", begun)) >= 0:
        try:
            said = msgspec.json.decode(text[begun:end], type=Line)
            if isinstance(said.problem, dict):
                said = msgspec.structs.replace(said, problem=Sentence.from_plain(said.problem))
        except (msgspec.MsgspecError, ValueError):
            return
        if (said.photo is None) == (said.problem is None):
            return
        begun = end + 1
        yield said, begun
