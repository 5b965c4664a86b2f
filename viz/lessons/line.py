"""One number of a lesson, as expected and as computed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class Line:
    """One number, or a few that belong together.

    Attributes:
        key: which number it is; the page's catalogue has a sentence for it.
        expected: what the document says, or what follows by hand for other parameters.
        found: what was computed just now.
        right: whether the two agree.
        name: a part of the sentence that is the same in every language, such as a method's name.
    """

    key: str
    expected: str
    found: str
    right: bool
    name: str = ""
