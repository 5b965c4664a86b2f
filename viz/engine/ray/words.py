"""Messages between the page and a replica."""

from typing import Any, Literal, NamedTuple

Kind = Literal["done", "failed", "ended", "again", "wanted"]
Thing = tuple[str, str]
"""(kind, name) of what only the page has, such as a visitor's weights."""


class Letter(NamedTuple):
    """A task for a replica.

    Attributes:
        text: the task, sealed.
        pictures: where the pictures that it names lie in the object store, wholes before their parts.
        things: where what the replica wanted of the page lies there, or the error with which it refused.
        page: which page sends it; several may serve one visitor.
        number: larger for newer tasks of that page.
    """

    text: bytes
    pictures: dict[str, Any]
    things: dict[Thing, Any]
    visitor: str
    urgent: bool
    page: str
    number: int


class Reply(NamedTuple):
    """Reply of a replica to a task.

    Attributes:
        kind: ``done`` with the answer; ``failed`` with the error; ``ended`` with the error of a task that
            costs the replica its life; ``again`` if it is innocent of that, or if a picture got lost;
            ``wanted`` with the ``Thing`` that the page has to send along.
    """

    kind: Kind
    what: Any = None
