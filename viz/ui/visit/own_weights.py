"""Visitors' own weights, by their content, kept during the visit."""

import hashlib
import threading
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ...catalogue import models
from ...errors import RequestError
from .jobs.reading import read_weights

OWN = "own"
FILES_KEPT = 4  # of the largest size, of all visitors together


@dataclass(frozen=True, eq=False)
class OwnWeights:
    """The weights in a visitor's file.

    Attributes:
        digest: SHA-256 of the file.
        data: the file's bytes, or of a folder in a ZIP its files'; the numbers stay in them.
        table: the places of the tensors in them.
        visitor: who brought them first; empty if another process has.
    """

    digest: str
    data: bytes = field(repr=False)
    table: models.own.StateTable = field(repr=False)
    visitor: str = field(default="", repr=False)

    @property
    def id(self) -> str:
        """The weights' name in requests; nobody without the file can know it."""
        return f"{OWN}:{self.digest}"

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return len(self.data)

    @property
    def parts(self) -> tuple[NDArray[np.uint8], models.own.StateTable]:
        """The tensors' bytes as an array without a copy, and their table."""
        return np.frombuffer(self.data, np.uint8), self.table


_lock = threading.Lock()
_shelf: "WeakValueDictionary[str, OwnWeights]" = WeakValueDictionary()


def is_own_weights(weights: str) -> bool:
    """Return whether a request's weights are a visitor's own."""
    return weights.startswith(f"{OWN}:")


def own_weights(data: bytes, visitor: str = "") -> OwnWeights:
    """Return the weights in a file.

    Visitors with the same file share them; they live as long as any of these stays.

    Raises:
        OwnWeightsError: the file cannot be read, or visitors' files fill the memory that they may take.
    """
    digest = hashlib.sha256(data).hexdigest()
    return held_weights(digest) or _shelved(OwnWeights(digest, *read_weights(data, visitor), visitor))


def held_weights(digest: str) -> OwnWeights | None:
    """Return the weights of this digest; None if no visit holds them."""
    with _lock:
        return _shelf.get(f"{OWN}:{digest}")


def restored_weights(digest: str, data: bytes, table: models.own.StateTable) -> OwnWeights:
    """Keep the weights of another process's visit while somebody holds them.

    Raises:
        OwnWeightsError: visitors' files fill the memory that they may take.
    """
    return _shelved(OwnWeights(digest, data, table))


def find_weights(weights: str) -> OwnWeights:
    """The weights of a request.

    Raises:
        RequestError: the visit that brought them has ended.
    """
    with _lock:
        found = _shelf.get(weights)
    if found is None:
        raise RequestError("These weights belong to a visit that has ended; upload the file again.")
    return found


def _shelved(found: OwnWeights) -> OwnWeights:
    with _lock:
        if sum(each.bytes for each in _shelf.values()) + found.bytes > FILES_KEPT * models.own.size_limit():
            raise models.OwnWeightsError(
                "Visitors' weights fill the memory that this server has for them; try later."
            )
        return _shelf.setdefault(found.id, found)
