"""The pictures that a visitor brought together, to look through them; they end with the visit."""

import hashlib
import threading
from dataclasses import dataclass, field
from weakref import WeakSet

from ...errors import RequestError
from ...sentences import Sentence
from .own_pictures import shortened

MOST_PICTURES = 300  # a class's photographs, and a pass of a few minutes
BYTES_HELD = 40_000_000  # files of one visit, as they came; each is decoded only while it is looked at
BYTES_OF_ALL = 400_000_000  # of all visits together
_living: "WeakSet[OwnFolder]" = WeakSet()
_lock = threading.Lock()


class FullError(RequestError):
    """There is no room for another picture."""


@dataclass(frozen=True)
class OwnFile:
    """A picture's file.

    Attributes:
        name: the file's name, fit to be shown.
        data: its bytes.
    """

    name: str
    data: bytes = field(repr=False)


class OwnFolder:
    """A visit's pictures, by a name that is made of their content."""

    def __init__(self) -> None:
        self.files: dict[str, OwnFile] = {}
        self.changes = 0
        with _lock:
            _living.add(self)

    def add(self, file: str, data: bytes) -> str:
        """Keep a picture's file, and return what it is called; one that is here already stays as it is.

        Raises:
            FullError: there is no room for it.
        """
        name = hashlib.sha256(data).hexdigest()[:32]
        with _lock:
            if name in self.files:
                return name
            if len(self.files) >= MOST_PICTURES or self.bytes + len(data) > BYTES_HELD:
                room = Sentence(
                    "a visit has room for {count} pictures of {most} MB together",
                    count=MOST_PICTURES,
                    most=BYTES_HELD // 1_000_000,
                )
                raise FullError(room)
            if sum(each.bytes for each in _living) + len(data) > BYTES_OF_ALL:
                full = Sentence("visitors' pictures fill the room that is here for them: try later")
                raise FullError(full)
            self.files = {**self.files, name: OwnFile(shortened(file), data)}
            self.changes += 1
        return name

    @property
    def bytes(self) -> int:
        """The memory that the files take."""
        return sum(len(each.data) for each in self.files.values())

    def clear(self) -> None:
        """Drop all pictures."""
        with _lock:
            self.files = {}
            self.changes += 1
