"""Pickled tasks for replicas, which name pictures instead of carrying them."""

import io
import pickle
from collections.abc import Callable
from typing import Any

from ...pictures.photo import Photo
from ..process.line import NamingPickler


def sealed(value: Any) -> tuple[bytes, dict[str, Photo]]:
    """A value as bytes, and the pictures that it names, by fingerprint.

    A picture by itself is carried; of one that was cut out of another, the whole is named.

    Raises:
        Exception: it cannot be pickled.
    """
    file = io.BytesIO()
    pickler = NamingPickler(file, carried=value)
    pickler.dump(value)
    return file.getvalue(), pickler.photos


def opened(text: bytes, find: Callable[[str], Photo]) -> Any:
    """The value again; ``find`` knows its pictures by their fingerprints."""
    unpickler = _Unpickler(io.BytesIO(text))
    unpickler.find = find
    return unpickler.load()


class _Unpickler(pickle.Unpickler):
    find: Callable[[str], Photo]

    def persistent_load(self, name: str) -> Photo:
        return self.find(name)
