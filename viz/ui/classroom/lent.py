"""The teacher's subject in students' hands, at addresses of their own."""

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from weakref import ref

from ...errors import VizError
from ...pictures.own_donors import is_own_picture
from ...pictures.photo import Photo
from ...request.edit_request import edits_from
from ...request.look import Look
from ..visit.own_pictures import OwnPictures
from ..visit.visit import Rows, SubjectEntry, lend, take_back

KEPT = 4  # entries of one student: the one on screen, its other side, and both before them


@dataclass(eq=False)
class StudentAccess:
    """One student's access to the teacher's subject; see ``visit.Stay``.

    The answers are those of the teacher's subject, from the same caches; the address and the place in the
    queue are the student's own. So no student takes another one's place there, and all addresses end with the
    class. The other side of a comparison is found in a thread, while the class may end.

    Attributes:
        visitor: the student's page.
        pictures: those that the class may take values from.
    """

    visitor: str
    pictures: OwnPictures = field(repr=False)
    ended: bool = False
    _entries: OrderedDict[str, SubjectEntry] = field(default_factory=OrderedDict, repr=False)
    _tokens: dict[tuple[str, ...], str] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def subject(self, theirs: SubjectEntry) -> SubjectEntry:
        """Return the student's entry of the teacher's subject, always the same.

        Of a picture that the teacher has cropped, what is outside stays the teacher's.
        """
        photo = Photo(theirs.photo.fingerprint, theirs.photo.image)
        with self._lock:
            return self._entry(photo, theirs.model, theirs.weights, theirs.rows)

    def beside(
        self, first: SubjectEntry, photo: Photo, model: str, weights: str, rows: Rows
    ) -> SubjectEntry | None:
        """See ``Stay``."""
        with self._lock:
            if self.ended or first.token not in self._entries:
                return None
            self._entries.move_to_end(first.token)
            return self._entry(photo, model, weights, rows)

    def end(self) -> None:
        """End every address."""
        with self._lock:
            self.ended = True
            for entry in self._entries.values():
                take_back(entry)
            self._entries.clear()

    def _entry(self, photo: Photo, model: str, weights: str, rows: Rows) -> SubjectEntry:
        """The entry of these; called under the lock."""
        about = (photo.fingerprint, model, weights)
        token = self._tokens.setdefault(about, secrets.token_hex(20))
        entry = self._entries.pop(token, None) or SubjectEntry(
            token, self.visitor, photo, model, weights, rows, self.pictures, ref(self), lent=True
        )
        self._entries[token] = entry
        lend(entry)
        while len(self._entries) > KEPT:
            take_back(self._entries.popitem(last=False)[1])
        return entry


def share_donors(pictures: OwnPictures, theirs: SubjectEntry, look: Look) -> None:
    """Share the teacher's own pictures in a shown figure or edit."""
    of_figure = look.figure_pictures.split(",") if look.view == "figure" else []
    for name in (*_own_donors(look.edit), *of_figure):
        found = theirs.pictures.find(name)
        if found:
            pictures.hold(found.photo)


def _own_donors(edits: str) -> list[str]:
    try:
        return [edit.donor for edit in edits_from(edits) if is_own_picture(edit.donor)]
    except VizError:  # the answer to the look will say so
        return []
