"""A visit as named bytes, for other processes that serve the page."""

import pickle
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ...catalogue import models
from ...pictures.photo import Photo, cropped
from .own_pictures import OwnPictures
from .own_weights import OwnWeights, held_weights, restored_weights
from .tokens import name_in
from .visit import Rows, SubjectEntry, Visit

Things = dict[str, Callable[[], bytes]]
"""What a visit holds, by name, each made when it is called for."""
_Read = TypeVar("_Read")


class SubjectRecord(NamedTuple):
    """A subject whose picture is given by its name."""

    visitor: str
    photo: str
    crop: str
    model: str
    weights: str
    rows: Rows


class Brought(NamedTuple):
    """A visit's pictures and weights, beside its subjects.

    Attributes:
        pictures: fingerprint, file and number of each, the oldest first.
        weights: the digest of the visitor's own file, if one of the subjects has its weights.
    """

    pictures: tuple[tuple[str, str, int], ...]
    weights: str


def things_of(visit: Visit) -> tuple[Things, Brought]:
    """Return all that a visit holds; needed things come before subjects."""
    subjects, key = visit.subjects, visit.key
    held = [each for _, each in visit.pictures.newest_first()][::-1]
    photos = [*(each.photo.original for each in subjects), *(each.photo for each in held)]
    things: Things = {photo_name(key, photo): partial(packed, photo) for photo in photos}
    own = visit.own if any(visit.own and each.weights == visit.own.id for each in subjects) else None
    if own is not None:
        things[_weights_name(key, own.digest)] = lambda: own.data
        things[_table_name(key, own.digest)] = lambda: packed(own.table)
    brought = Brought(
        tuple((each.photo.fingerprint, each.file, each.number) for each in held), own.digest if own else ""
    )
    things[brought_name(key)] = lambda: packed(brought)
    for each in subjects:
        things[name_in(each.token)] = partial(_packed_subject, each)
    return things, brought


def record_of(visitor: str, photo: Photo, model: str, weights: str, rows: Rows) -> SubjectRecord:
    """A subject without its picture, which it names."""
    crop = str(photo.crop) if photo.crop else ""
    return SubjectRecord(visitor, photo.original.fingerprint, crop, model, weights, rows)


def _packed_subject(entry: SubjectEntry) -> bytes:
    return packed(record_of(entry.visitor, entry.photo, entry.model, entry.weights, entry.rows))


def photo_name(visit: str, photo: Photo) -> str:
    """Return the name of a whole picture of a visit."""
    return _photo_named(visit, photo.fingerprint)


def brought_name(visit: str) -> str:
    """Return the name of the list of a visit's pictures and weights."""
    return f"{visit} brought"


def packed(value: Any) -> bytes:
    """Pack a value as bytes for our own processes.

    They are pickled: anyone who reaches the cluster can run code.
    """
    return pickle.dumps(value, 5)


class Reading:
    """Reader of another process's visit, without the pictures that are here already.

    Args:
        visit: its key.
        read: reads the thing with a name; raises a ``LookupError`` if there is none.
        photos: those that are here, by fingerprint.
    """

    def __init__(self, visit: str, read: Callable[[str], bytes], photos: Mapping[str, Photo]) -> None:
        self._visit, self._read, self.photos = visit, read, dict(photos)

    def subject(self, token: str) -> tuple[SubjectRecord, Photo]:
        """A subject, and its picture."""
        record = self._opened(name_in(token), SubjectRecord)
        whole = self._photo(record.photo)
        return record, cropped(whole, record.crop) if record.crop else whole

    def brought(self) -> tuple[OwnPictures, OwnWeights | None]:
        """Return the visit's own pictures, and its weights or None.

        The weights are None if no subject has them.

        Raises:
            OwnWeightsError: visitors' files fill the memory that they may take.
        """
        found = self._opened(brought_name(self._visit), Brought)
        pictures = OwnPictures.restored(
            (self._photo(photo), file, number) for photo, file, number in found.pictures
        )
        if not found.weights:
            return pictures, None
        known = held_weights(found.weights)
        if known is None:
            data = self._read(_weights_name(self._visit, found.weights))
            table = self._opened(_table_name(self._visit, found.weights), models.own.StateTable)
            known = restored_weights(found.weights, data, table)
        return pictures, known

    def _photo(self, fingerprint: str) -> Photo:
        if fingerprint not in self.photos:
            self.photos[fingerprint] = self._opened(_photo_named(self._visit, fingerprint), Photo)
        return self.photos[fingerprint]

    def _opened(self, name: str, kind: type[_Read]) -> _Read:
        found = pickle.loads(self._read(name))  # noqa: S301  our own processes wrote it
        if not isinstance(found, kind):
            raise LookupError(name)  # noqa: TRY004  as if it were not there
        return found


def _photo_named(visit: str, fingerprint: str) -> str:
    return f"{visit} photo {fingerprint}"


def _weights_name(visit: str, digest: str) -> str:
    return f"{visit} weights {digest}"


def _table_name(visit: str, digest: str) -> str:
    return f"{visit} table {digest}"
