"""Visitors' own pictures as donors of values, named by their content.

They are found while a visit holds them.
"""

import re
import threading
from collections.abc import Callable
from functools import lru_cache
from weakref import WeakValueDictionary

from ..errors import RequestError
from ..sentences import Sentence
from .photo import Photo, photograph
from .samples import sample, sample_names

OWN_NAME = "own_[0-9a-f]{32}"  # as a regular expression, for code that reads an edit
NOT_HERE = Sentence(
    "This edit takes values from a picture that is no longer here; upload it again, or choose a sample."
)
_DIGITS = 32

_lock = threading.Lock()
_shelf: "WeakValueDictionary[str, Photo]" = WeakValueDictionary()


def own_name(photo: Photo) -> str:
    """Return the name in edits of a visitor's picture.

    Nobody without the picture can know it.
    """
    return f"own_{photo.fingerprint[:_DIGITS]}"


def is_own_picture(donor: str) -> bool:
    """Check whether a donor is a visitor's own picture, not a sample."""
    return re.fullmatch(OWN_NAME, donor) is not None


def shelved(photo: Photo) -> Photo:
    """This picture, where edits find it while it is held.

    Visits with equal pictures share one.
    """
    with _lock:
        return _shelf.setdefault(own_name(photo), photo)


def own_picture(donor: str) -> Photo:
    """The picture with this name, which a visit still holds.

    Raises:
        RequestError: no visit holds it, or none does any more.
    """
    with _lock:
        found = _shelf.get(donor)
    return found or _elsewhere(donor)


def look_elsewhere(find: Callable[[str], Photo]) -> None:
    """Set the source of pictures that another process holds.

    That process is the one with the visits.

    ``find`` raises a ``RequestError`` if that process does not hold the picture either.
    """
    global _elsewhere  # noqa: PLW0603  a process has one page to ask
    _elsewhere = find


def _nowhere(_: str) -> Photo:
    raise RequestError(NOT_HERE)


_elsewhere = _nowhere


def donor_photo(name: str) -> Photo:
    """A sample picture, or a visitor's own while a visit holds it.

    Raises:
        RequestError: there is no such sample, or the visit has ended.
    """
    return own_picture(name) if is_own_picture(name) else _sample_photo(name)


def sample_of(photo: Photo) -> str:
    """Return the sample's name whose picture this is, if any."""
    found = (name for name in sample_names() if _sample_photo(name).fingerprint == photo.fingerprint)
    return next(found, "")


@lru_cache(maxsize=32)
def _sample_photo(name: str) -> Photo:
    return photograph(sample(name))
