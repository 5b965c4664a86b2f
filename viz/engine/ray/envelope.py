"""A task on its way to a replica: pickled, with its pictures named instead of carried."""

import io
import pickle
from collections.abc import Callable
from typing import Any

from ...pictures.photo import Photo


def sealed(value: Any) -> tuple[bytes, dict[str, Photo]]:
    """A value as bytes, and the pictures that it names, by fingerprint.

    A picture by itself is carried; of one that was cut out of another, the whole is named.

    Raises:
        Exception: it cannot be pickled.
    """
    file = io.BytesIO()
    pickler = _Pickler(file, carried=value)
    pickler.dump(value)
    return file.getvalue(), pickler.photos


def opened(text: bytes, find: Callable[[str], Photo]) -> Any:
    """The value again; ``find`` knows its pictures by their fingerprints."""
    unpickler = _Unpickler(io.BytesIO(text))
    unpickler.find = find
    return unpickler.load()


def picture_bytes(photo: Photo) -> int:
    """The memory that a picture takes, without the one that it was cut out of."""
    return photo.image.width * photo.image.height * len(photo.image.getbands())


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, carried: Any) -> None:
        super().__init__(file, 5)
        self._carried = carried
        self.photos: dict[str, Photo] = {}

    def persistent_id(self, value: Any) -> str | None:
        if not isinstance(value, Photo) or value is self._carried:
            return None
        self.photos[value.fingerprint] = value
        return value.fingerprint


class _Unpickler(pickle.Unpickler):
    find: Callable[[str], Photo]

    def persistent_load(self, name: str) -> Photo:
        return self.find(name)
