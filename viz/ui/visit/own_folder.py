"""A visitor's own pictures to look through, for the visit alone."""

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from weakref import WeakSet

from ...errors import RequestError
from ...lens.labels import labels_of
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
        path: its name as it came, with the folders of the archive that it was in.
        data: its bytes.
        label: its class, if a table of labels says one.
    """

    path: str
    data: bytes = field(repr=False)
    label: str = ""

    @property
    def name(self) -> str:
        """Its name with its folder, fit to be shown."""
        return shortened("/".join(self.path.split("/")[-2:]))

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return len(self.data) + len(self.label.encode())


class OwnFolder:
    """A visit's pictures, by a name that is made of their content.

    Attributes:
        files: the pictures.
    """

    def __init__(self) -> None:
        self.files: dict[str, OwnFile] = {}
        with _lock:
            _living.add(self)

    def add(self, path: str, data: bytes) -> str:
        """Keep a picture's file, and return its name.

        One that is here already stays as it is.

        Raises:
            FullError: there is no room for it.
        """
        name = hashlib.sha256(data).hexdigest()[:32]
        with _lock:
            if name not in self.files:
                self._hold({**self.files, name: OwnFile(path, data)})
        return name

    def label(self, said: Mapping[str, str]) -> int:
        """Give pictures the classes from a table, and return their number.

        Raises:
            FullError: there is no room for them.
        """
        with _lock:
            labels = labels_of([each.path for each in self.files.values()], said)
            given = {name: label for name, label in zip(self.files, labels, strict=True) if label}
            self._hold(
                self.files | {name: replace(self.files[name], label=label) for name, label in given.items()}
            )
        return len(given)

    def take_over(self, other: "OwnFolder") -> None:
        """Have another visit's pictures instead.

        They are in memory already, so there is room for them.
        """
        with _lock:
            self.files = other.files

    def clear(self) -> None:
        """Drop all pictures, and their classes with them."""
        with _lock:
            self.files = {}

    def _hold(self, files: dict[str, OwnFile]) -> None:
        """Have these files from now on, if there is room."""
        here = sum(each.bytes for each in files.values())
        if len(files) > MOST_PICTURES or here > BYTES_HELD:
            room = Sentence(
                "a visit has room for {count} pictures of {most} MB together",
                count=MOST_PICTURES,
                most=BYTES_HELD // 1_000_000,
            )
            raise FullError(room)
        others = (file for each in _living if each is not self for file in each.files.values())
        every = (part for file in (*others, *files.values()) for part in (file.data, file.label.encode()))
        held = {id(part): part for part in every}  # visits share pictures after a reload
        if sum(map(len, held.values())) > BYTES_OF_ALL:
            full = Sentence("visitors' pictures fill the room that is here for them: try later")
            raise FullError(full)
        self.files = files
