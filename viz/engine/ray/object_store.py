"""The page's side of the cluster's object store, within a bound."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import ray

from ...pictures.photo import Photo
from ..process.line import picture_bytes
from .envelope import sealed

PICTURES = 512 << 20  # bytes; those used last, of all visitors together
Ref = Any
"""Where a value lies in the store, a ``ray.ObjectRef``; the store drops a value nobody refers to any more."""


@dataclass(frozen=True)
class _StoredPhoto:
    ref: Ref
    bytes: int


class Store:
    """Values that this process has put into the object store.

    Each of them is put there once while it is used. A task that is under way holds references of its own, so
    nothing that it needs is dropped under it.
    """

    def __init__(self, most: int = PICTURES) -> None:
        self._most = most
        self._stored: OrderedDict[Hashable, _StoredPhoto] = OrderedDict()
        self._lock = threading.Lock()

    def pictures(self, photos: dict[str, Photo]) -> dict[str, Ref]:
        """References to pictures, and to those that they were cut out of."""
        refs: dict[str, Ref] = {}
        for name, photo in photos.items():
            if photo.whole:
                refs |= self.pictures({photo.whole.fingerprint: photo.whole})
            refs[name] = self._put(name, photo)
        return refs

    def forget(self, refs: dict[str, Ref]) -> None:
        """Forget these values, since the store has lost one of them.

        They are put there again when they are needed next.
        """
        with self._lock:
            for name in refs:
                self._stored.pop(name, None)

    def _put(self, name: Hashable, photo: Photo) -> Ref:
        with self._lock:
            if name not in self._stored:
                self._stored[name] = _StoredPhoto(ray.put(sealed(photo)[0]), picture_bytes(photo))
            self._stored.move_to_end(name)
            ref = self._stored[name].ref
            while len(self._stored) > 1 and sum(each.bytes for each in self._stored.values()) > self._most:
                self._stored.popitem(last=False)
            return ref
