"""A visit's last few own pictures, which edits may use."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from ...pictures.own_donors import own_name, shelved
from ...pictures.photo import Photo

PICTURES_HELD = 5  # the one on screen, and four before it
BYTES_HELD = 300_000_000  # decoded: two of the largest that may be uploaded
LONGEST_NAME = 40
CUT = "…"  # in place of a name's middle


@dataclass
class OwnPicture:
    """One of a visit's pictures.

    Attributes:
        photo: the picture.
        file: its file's name, fit to be shown; empty if it has none.
        number: tells pictures with the same name apart; 1 for the first.
        used: when it was last looked at or used by an edit; larger is later.
    """

    photo: Photo = field(repr=False)
    file: str
    number: int
    used: int

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        image = self.photo.image
        return image.width * image.height * len(image.getbands())


class OwnPictures:
    """A visit's pictures by name; the least recently used goes first."""

    def __init__(self) -> None:
        self._held: dict[str, OwnPicture] = {}
        self._moments = count()
        self._lock = threading.Lock()  # two runs of one visitor's page may overlap

    def hold(self, photo: Photo, file: str = "") -> None:
        """Keep a picture; one that is here already keeps its name."""
        name = own_name(photo)
        with self._lock:
            if name in self._held:
                self._held[name].used = next(self._moments)
                return
            shown = shortened(file)
            number = max((each.number for each in self._held.values() if each.file == shown), default=0) + 1
            self._held[name] = OwnPicture(shelved(photo), shown, number, next(self._moments))
            self._let_go()

    def take_over(self, others: "OwnPictures") -> None:
        """Hold another visit's pictures, too, in their order and under their names."""
        for _, picture in others.newest_first()[::-1]:
            self.hold(picture.photo, picture.file)

    @classmethod
    def restored(cls, pictures: Iterable[tuple[Photo, str, int]]) -> "OwnPictures":
        """Restore another process's pictures: photo, file and number, oldest first."""
        found = cls()
        for photo, file, number in pictures:
            held = OwnPicture(shelved(photo), file, number, next(found._moments))
            found._held[own_name(photo)] = held
        return found

    def use(self, names: Iterable[str]) -> None:
        """Note that edits in force need these pictures.

        Names that are not the visit's own are ignored.
        """
        with self._lock:
            for name in names:
                if name in self._held:
                    self._held[name].used = next(self._moments)

    def find(self, name: str) -> OwnPicture | None:
        """The picture with this name, if this visit holds it."""
        with self._lock:
            return self._held.get(name)

    def newest_first(self) -> list[tuple[str, OwnPicture]]:
        """All pictures with their names, the newest first."""
        with self._lock:
            return list(self._held.items())[::-1]

    def clear(self) -> None:
        """Drop all pictures."""
        with self._lock:
            self._held.clear()

    def _let_go(self) -> None:
        while len(self._held) > PICTURES_HELD or (
            len(self._held) > 1 and sum(each.bytes for each in self._held.values()) > BYTES_HELD
        ):
            del self._held[min(self._held, key=lambda name: self._held[name].used)]


def shortened(file: str) -> str:
    """Return a file's name, printable, and shortened in the middle."""
    shown = "".join(filter(str.isprintable, file)).strip()
    ending = LONGEST_NAME // 4
    return (
        shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - ending - 1]}{CUT}{shown[-ending:]}"
    )
