"""Visits shared by several processes of the page, through a cluster."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakValueDictionary, ref

from ...catalogue import models
from ...engine.engine_protocol import LeasedGroup, SharedStore
from ...errors import BusyError
from ...pictures.photo import Photo
from .own_pictures import OwnPictures
from .own_weights import OwnWeights
from .records import Brought, Reading, SubjectRecord, brought_name, packed, photo_name, record_of, things_of
from .tokens import is_signed, name_in, signed_token
from .visit import Rows, SubjectEntry, Visit, living_visits

FRESH = 2.0  # seconds that a subject of another process is taken to be there still
STALE = 60.0  # the same while the cluster does not answer
UNUSED = 60.0  # seconds after which what nobody asks for is put away here
MOST = 600_000_000  # bytes of other processes' visits that are held here: two of the largest
SILENT = (
    25.0  # seconds without a word from a visit's process, which says one every ten while its page is open
)
log = logging.getLogger(__name__)


@dataclass
class _SharedVisit:
    """The state of a visit's copy for the other processes."""

    names: set[str] = field(default_factory=set)
    brought: Brought | None = None
    complete: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(eq=False)
class BorrowedVisit:
    """A visit of another process, as it was found last; see ``Stay``."""

    key: str
    version: int
    pictures: OwnPictures
    own: OwnWeights | None
    add: "Callable[[BorrowedVisit, SubjectRecord, Photo], SubjectEntry | None]" = field(repr=False)
    photos: dict[str, Photo] = field(default_factory=dict, repr=False)
    entries: dict[str, SubjectEntry] = field(default_factory=dict, repr=False)
    checked: float = 0.0
    used: float = 0.0
    ended: bool = False  # one that is over is no longer borrowed

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        photos = [*self.photos.values(), *(each.photo for each in [*self.entries.values()])]  # crops, too
        images = {id(photo.image): photo.image for photo in photos}.values()
        pixels = sum(image.width * image.height * len(image.getbands()) for image in images)
        return pixels + (self.own.bytes if self.own else 0)

    def entry(self, token: str, about: SubjectRecord, photo: Photo) -> SubjectEntry:
        """The entry of one of its subjects, from now on."""
        shown = (photo, about.model, about.weights, about.rows)
        found = SubjectEntry(token, about.visitor, *shown, self.pictures, ref(self))
        self.entries[token] = found
        return found

    def beside(
        self, first: SubjectEntry, photo: Photo, model: str, weights: str, rows: Rows
    ) -> SubjectEntry | None:
        """See ``Stay``."""
        return self.add(self, record_of(first.visitor, photo, model, weights, rows), photo)


class SharedVisits:
    """See ``OtherProcesses``.

    Args:
        keeping: finds what all processes keep together, which may take a while at first.
        secret: of all of them.
        lease: seconds for which a visit stays there without a word from its process.
        visits: those of this process.
        clock: seconds that only go up.
    """

    def __init__(
        self,
        keeping: Callable[[], SharedStore],
        secret: bytes,
        lease: float,
        visits: Callable[[], list[Visit]] = living_visits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keeping, self._secret, self._visits, self._clock = keeping, secret, visits, clock
        self._lease, self._lock = lease, threading.Lock()
        self._told: dict[str, _SharedVisit] = {}
        self._borrowed: OrderedDict[str, BorrowedVisit] = OrderedDict()
        self._finding: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def token(self, visit: str, about: str) -> str:
        """See ``OtherProcesses``."""
        return signed_token(self._secret, visit, about)

    # --- Visits of this process -----------------------------------------------------------------------------

    def tell(self, visit: Visit) -> None:
        """See ``OtherProcesses``; things that cannot be sent now are sent later."""
        with self._lock:
            told = self._told.setdefault(visit.key, _SharedVisit())
        with told.lock:
            try:
                told.complete = self._tell(visit, told)
            except BusyError as error:
                told.complete = False
                _note(error)

    def _tell(self, visit: Visit, told: _SharedVisit) -> bool:
        """Send new things, and remove dropped ones; return whether all have room."""
        things, brought = things_of(visit)
        new = [name for name in things if name not in told.names]
        if brought != told.brought:
            new = [name for name in things if name in {*new, brought_name(visit.key)}]
        for name in new:
            if not self._keeping().keep(visit.key, name, things[name](), self._lease):
                log.warning("the cluster has no room for a visit, which only its own server answers")
                return False
            told.names.add(name)
        told.brought = brought
        if dropped := told.names - things.keys():
            self._keeping().drop(visit.key, dropped)
            told.names -= dropped
        return True

    def tend(self) -> None:
        """Renew open visits' leases, end finished ones, and forget old entries.

        One whose page has lost its connection has its lease until it ends here: the page may be at another
        process by now, which takes the visit over.

        Every process calls it every few seconds, for as long as it runs.
        """
        self._put_away()
        with self._lock:
            told = list(self._told)
        living = {visit.key: visit for visit in self._visits()}  # in this order: a new one is not ended
        try:
            self._end([key for key in told if key not in living])
            here = [key for key in told if key in living and living[key].away_since is None]
            self._lose(self._keeping().renew(here, self._lease))
        except BusyError as error:
            _note(error)
            return
        for key, visit in living.items():
            if visit.subjects and not (key in self._told and self._told[key].complete):
                self.tell(visit)

    def _end(self, keys: Sequence[str]) -> None:
        if keys:
            self._keeping().end(keys)
            self._lose(keys)

    def _lose(self, keys: Sequence[str]) -> None:
        with self._lock:
            for key in keys:
                self._told.pop(key, None)

    # --- Visits of other processes --------------------------------------------------------------------------

    def known(self, token: str) -> SubjectEntry | None:
        """See ``OtherProcesses``."""
        return self._held(token, FRESH)

    def find(self, token: str) -> SubjectEntry | None:
        """See ``OtherProcesses``; a token that is not signed is looked for nowhere."""
        if not is_signed(self._secret, token):
            return None
        with self._lock:
            turn = self._finding.setdefault(token, threading.Lock())
        with turn:
            found = self.known(token)
            if found is not None:
                return found
            try:
                return self._found(token)
            except BusyError as error:
                _note(error)
                return self._held(token, STALE)

    def _found(self, token: str) -> SubjectEntry | None:
        held = self._held(token, float("inf"))
        borrowed = self._of(token)
        known = borrowed.version if held and borrowed else 0
        found = self._keeping().find(name_in(token), known)
        if found is None:
            self._forget(token)
            return None
        if found.places:
            return self._taken(token, found)
        with self._lock:
            return self._checked(token, borrowed, found) if borrowed else None

    def _taken(self, token: str, found: LeasedGroup) -> SubjectEntry | None:
        """Return a found subject's entry, with its visit's pictures and weights."""
        with self._lock:
            before = self._borrowed.get(found.group)
        places, keeping = found.places, self._keeping()
        reading = Reading(
            found.group, lambda name: keeping.read(places[name]), before.photos if before else {}
        )
        try:
            record, photo = reading.subject(token)
            here = next((each for each in self._visits() if each.key == found.group), None)
            if here is not None:  # another process has added it to a visit of this one
                return here.subject(photo, record.model, record.weights, record.rows)
            if before is None or before.version != found.version:
                before = BorrowedVisit(found.group, found.version, *reading.brought(), self._add)
        except (LookupError, models.OwnWeightsError):  # part of it has gone meanwhile, or there is no room
            return None
        before.photos |= reading.photos
        before.entry(token, record, photo)
        with self._lock:
            self._borrowed[found.group] = before
            self._borrowed.move_to_end(found.group)
            while len(self._borrowed) > 1 and sum(each.bytes for each in self._borrowed.values()) > MOST:
                self._borrowed.popitem(last=False)
            return self._checked(token, before, found)

    def _checked(self, token: str, borrowed: BorrowedVisit, found: LeasedGroup) -> SubjectEntry:
        """The entry, marked as checked now; called under the lock."""
        entry, moving = borrowed.entries[token], found.silent > SILENT
        if entry.moving != moving:
            entry = borrowed.entries[token] = replace(entry, moving=moving)
        borrowed.checked = borrowed.used = self._clock()
        return entry

    def _add(self, borrowed: BorrowedVisit, record: SubjectRecord, photo: Photo) -> SubjectEntry | None:
        """Add a subject to another process's visit; None if that has ended."""
        about = f"{photo.fingerprint} {record.model} {record.weights}"
        token, whole = self.token(borrowed.key, about), photo.original
        if token in borrowed.entries:
            return borrowed.entries[token]
        things = {name_in(token): packed(record)}
        if whole.fingerprint not in borrowed.photos:
            things = {photo_name(borrowed.key, whole): packed(whole)} | things
        if not all(self._keeping().keep(borrowed.key, name, data) for name, data in things.items()):
            return None
        borrowed.photos[whole.fingerprint] = whole
        return borrowed.entry(token, record, photo)

    def _of(self, token: str) -> BorrowedVisit | None:
        with self._lock:
            return next((each for each in self._borrowed.values() if token in each.entries), None)

    def _held(self, token: str, seconds: float) -> SubjectEntry | None:
        """An entry that was checked within so many seconds."""
        borrowed = self._of(token)
        if borrowed is None or self._clock() - borrowed.checked > seconds:
            return None
        borrowed.used = self._clock()
        return borrowed.entries.get(token)

    def _forget(self, token: str) -> None:
        borrowed = self._of(token)
        if borrowed is not None:
            with self._lock:
                self._borrowed.pop(borrowed.key, None)

    def _put_away(self) -> None:
        with self._lock:
            for key, borrowed in list(self._borrowed.items()):
                if self._clock() - borrowed.used > UNUSED:
                    del self._borrowed[key]


def _note(error: BusyError) -> None:
    log.warning("the cluster that keeps visits does not answer: %r", error.__cause__ or error)
