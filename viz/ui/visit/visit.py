"""One visitor's stay: its secret, and subjects that end with it."""

import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar
from weakref import WeakSet, WeakValueDictionary, ref

from ...pictures.photo import Photo
from ...profile.rows import LayerRow
from .own_folder import OwnFolder
from .own_pictures import OwnPictures
from .own_weights import OwnWeights

SUBJECTS_KEPT = 24
BYTES_KEPT = 300_000_000  # decoded pictures: two of the largest that may be uploaded
# A visitor who lost the connection gets the same session back from Streamlit for as long as this, unless the
# operator says otherwise.
SESSION_SECONDS = 120.0
GRACE_SECONDS = SESSION_SECONDS + 10.0


Rows = tuple[LayerRow, ...]


@dataclass(frozen=True, eq=False)
class SubjectEntry:
    """A picture in a model with its weights, kept by a visit.

    Attributes:
        token: the secret in the addresses of all answers about it, ``/maps/<token>/<question>``.
        visitor: whose it is.
        rows: every layer and operation of the model.
        pictures: the pictures that the same visit holds; an edit may take values from no other visit's.
        visit: the visit itself, or None once it is over.
        moving: whether the process that has the visit has fallen silent, so that another one should take it.
        lent: whether it is another visitor's picture, which never becomes this one's own.
    """

    token: str
    visitor: str
    photo: Photo = field(repr=False)
    model: str
    weights: str
    rows: Rows = field(repr=False)
    pictures: OwnPictures = field(repr=False)
    visit: "Callable[[], Stay | None]" = field(repr=False)
    moving: bool = False
    lent: bool = False


class Stay(Protocol):
    """A visit, of this process or of another one."""

    @property
    def ended(self) -> bool:
        """True once the visit is over."""

    def beside(
        self, first: SubjectEntry, photo: Photo, model: str, weights: str, rows: Rows
    ) -> SubjectEntry | None:
        """Return another side's entry; None if the visit has ended."""


class Ending(Protocol):
    """Thing that a visit keeps, such as a pass over its pictures."""

    def end(self) -> object:
        """End it, and its work in the background."""


_Kept = TypeVar("_Kept", bound=Ending)


class OtherProcesses(Protocol):
    """The other processes of the page, which find each other's subjects."""

    def token(self, visit: str, about: str) -> str:
        """The token of a subject of the visit with this key."""

    def tell(self, visit: "Visit") -> None:
        """Share a visit's subjects, pictures and weights with the others."""

    def known(self, token: str) -> SubjectEntry | None:
        """Another process's subject, if it was found a moment ago."""

    def find(self, token: str) -> SubjectEntry | None:
        """Another process's subject, wherever it is; this may take a while."""


_lock = threading.Lock()
_shelf: "WeakValueDictionary[str, SubjectEntry]" = WeakValueDictionary()
_visits: "WeakSet[Visit]" = WeakSet()
_others: OtherProcesses | None = None


def share_with(others: OtherProcesses | None) -> None:
    """Share visits with these other processes from now on."""
    global _others  # noqa: PLW0603  a process serves the page beside the same others all its life
    _others = others


class Visit:
    """One visitor's stay, kept in that visitor's session state and nowhere else.

    The shelf refers to subjects weakly: when the visit goes, its subjects go, and with them every address
    that led to this visitor's pictures. ``own`` are the weights that the visitor brought, ``pictures``
    the last few pictures, and ``folder`` those to look through together.
    """

    def __init__(self, session: str) -> None:
        self.visitor, self.key = secrets.token_hex(8), secrets.token_hex(16)
        self.session = session
        self.away_since: float | None = None
        self.own: OwnWeights | None = None
        self.pictures, self.folder = OwnPictures(), OwnFolder()
        self._secret = secrets.token_bytes(32)
        self._subjects: OrderedDict[str, SubjectEntry] = OrderedDict()
        self._shown = ""  # the fingerprint of the picture on the page
        self.ended = False
        self._kept: dict[tuple[str, ...], Any] = {}
        self._keeping = threading.Lock()
        with _lock:
            _visits.add(self)

    def subject(self, photo: Photo, model: str, weights: str, rows: Rows) -> SubjectEntry:
        """Return the entry of this picture in this model, which is shown.

        The same ones get the same entry and addresses.
        """
        self._shown = photo.fingerprint
        return self._entry(photo, model, weights, rows)

    def _entry(self, photo: Photo, model: str, weights: str, rows: Rows) -> SubjectEntry:
        others, about = _others, f"{photo.fingerprint} {model} {weights}"
        token = others.token(self.key, about) if others else self._token(about)
        with _lock:
            self.ended = False  # a page that was away for long has come back
            entry = self._subjects.pop(token, None) or SubjectEntry(
                token, self.visitor, photo, model, weights, rows, self.pictures, ref(self)
            )
            self._subjects[token] = _shelf[token] = entry
            while len(self._subjects) > SUBJECTS_KEPT or (
                len(self._subjects) > 1 and self._bytes() > BYTES_KEPT
            ):
                self._subjects.popitem(last=False)
        if others:
            others.tell(self)
        return entry

    @property
    def subjects(self) -> list[SubjectEntry]:
        """All subjects that are kept."""
        with _lock:
            return list(self._subjects.values())

    def beside(
        self, first: SubjectEntry, photo: Photo, model: str, weights: str, rows: Rows
    ) -> SubjectEntry | None:
        """Return another side's entry, and keep the first one's with it.

        None if the visit has ended.
        """
        with _lock:
            if first.token not in self._subjects:
                return None
            self._subjects.move_to_end(first.token)
        return self._entry(photo, model, weights, rows)

    def drop_crops(self) -> None:
        """Forget the subjects of crops, except for the one that is shown.

        The browser asks about that one until it is told of another.
        """
        with _lock:
            for token, entry in list(self._subjects.items()):
                if entry.photo.crop and entry.photo.fingerprint != self._shown:
                    del self._subjects[token]

    def keep(self, name: tuple[str, ...], make: Callable[[], _Kept]) -> _Kept | None:
        """Return the thing of a name, made if new; None once ended.

        The name begins with the kind of pictures that it is about.
        """
        with self._keeping:
            if self.ended:
                return None
            if name not in self._kept:
                self._kept[name] = make()
            kept: _Kept = self._kept[name]
            return kept

    @property
    def kept(self) -> list[Ending]:
        """Everything that is kept under names."""
        with self._keeping:
            return list(self._kept.values())

    def end_kept(self, kind: str = "") -> None:
        """End all that is kept, or what is about one kind."""
        with self._keeping:
            names = [name for name in self._kept if kind in ("", name[0])]
            ended = [self._kept.pop(name) for name in names]
        for each in ended:
            each.end()

    def _token(self, about: str) -> str:
        return hmac.new(self._secret, about.encode(), hashlib.sha256).hexdigest()[:40]

    def _bytes(self) -> int:
        """Return the memory of this visit's pictures, each counted once."""
        entries = self._subjects.values()
        shown = (photo for entry in entries for photo in (entry.photo, entry.photo.original))
        photos = {photo.fingerprint: photo.image for photo in shown}
        return sum(image.width * image.height * len(image.getbands()) for image in photos.values())

    def end(self) -> None:
        """End every address of this visit, and drop what it has."""
        with _lock:
            for token in self._subjects:
                _shelf.pop(token, None)
            self._subjects.clear()
            self.ended = True
        self.own = None
        self.pictures.clear()
        self.folder.clear()
        self.end_kept()


def here_still(entry: SubjectEntry) -> Callable[[], bool]:
    """Return a check that an entry's visit lasts, without keeping the entry."""
    visit = entry.visit

    def here() -> bool:
        found = visit()
        return found is not None and not found.ended

    return here


def lend(entry: SubjectEntry) -> None:
    """Let an entry be found by its token while somebody holds it."""
    with _lock:
        _shelf[entry.token] = entry


def take_back(entry: SubjectEntry) -> None:
    """End the address of an entry that was lent."""
    with _lock:
        _shelf.pop(entry.token, None)


def end_abandoned_visits(is_here: Callable[[str], bool], now: float, kept: float = SESSION_SECONDS) -> None:
    """End the visits whose session has been away for too long.

    A session is ``kept`` for so many seconds, and a little is added. Streamlit itself forgets a session only
    when the next one ends, which may be never.
    """
    with _lock:
        visits = list(_visits)
    for visit in visits:
        if is_here(visit.session):
            visit.away_since = None
        elif visit.away_since is None:
            visit.away_since = now
        elif now - visit.away_since > GRACE_SECONDS - SESSION_SECONDS + kept:
            visit.end()


def living_visits() -> list[Visit]:
    """Return the visits that are kept, with pages open or away."""
    with _lock:
        return [visit for visit in _visits if not visit.ended]


def open_visits() -> int:
    """Return the number of visits that are kept."""
    return len(living_visits())


def find_subject(token: str) -> SubjectEntry | None:
    """The subject with this token, or None if its visit has ended.

    One of another process is found only if it was asked for a moment ago.
    """
    with _lock:
        found = _shelf.get(token)
    return _others.known(token) if found is None and _others else found


def find_anywhere(token: str) -> SubjectEntry | None:
    """Find a subject by its token, in this process or another.

    None if its visit has ended. It may wait, so it is not for the server's loop.
    """
    found = find_subject(token)
    return _others.find(token) if found is None and _others else found


def may_be_elsewhere() -> bool:
    """Return whether a missing subject may be of another process."""
    return _others is not None
