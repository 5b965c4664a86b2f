"""Facts about this machine as plain values."""

from typing import Literal

from ...answers.message import Message

Grade = Literal["good", "lacking", "fatal"]


class Fact(Message, frozen=True, kw_only=True):
    """A fact about one thing that the page or its tests need.

    Attributes:
        name: of the thing, such as ``memory``.
        grade: ``lacking`` where something will not work, or not well; ``fatal`` where there can be no page.
        said: one sentence.
        advice: what to do, in one sentence; empty if nothing is lacking.
    """

    name: str
    grade: Grade
    said: str
    advice: str = ""


class Diagnosis(Message, frozen=True, kw_only=True):
    """All facts, and whether the page can run here.

    Attributes:
        layerglass: the version.
        page_runs: whether nothing is fatal.
        facts: in the order in which to read them.
    """

    layerglass: str
    page_runs: bool
    facts: tuple[Fact, ...]
