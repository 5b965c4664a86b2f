"""Visitors' own pictures as donors of values: named by content, found for as long as a visit holds them."""

import re
import threading
from weakref import WeakValueDictionary

from ..errors import RequestError
from .photo import Photo

OWN_NAME = "own_[0-9a-f]{32}"  # as a regular expression, for whoever reads an edit
_DIGITS = 32

_lock = threading.Lock()
_shelf: "WeakValueDictionary[str, Photo]" = WeakValueDictionary()


def own_name(photo: Photo) -> str:
    """What an edit calls a visitor's picture; nobody who has not the picture can know it."""
    return f"own_{photo.fingerprint[:_DIGITS]}"


def is_own_picture(donor: str) -> bool:
    """Whether a donor is a visitor's own picture, and no sample."""
    return re.fullmatch(OWN_NAME, donor) is not None


def shelved(photo: Photo) -> Photo:
    """This picture, where edits find it while it is held. Who brings the same one shares it."""
    with _lock:
        return _shelf.setdefault(own_name(photo), photo)


def own_picture(donor: str) -> Photo:
    """The living picture with this name.

    Raises:
        RequestError: no visit holds it, or none does any longer.
    """
    with _lock:
        found = _shelf.get(donor)
    if found is None:
        raise RequestError(
            "This edit takes values from a picture that is no longer here; "
            "upload it again, or choose a sample."
        )
    return found
