"""Arguments of a model for the latest pictures, kept ready.

Making them from a picture takes a tenth of a pass.
"""

from typing import Any

import torch

from ..cache import ByteCache
from ..hooks.values.structure import leaves, map_tensors
from ..pictures.photo import Photo
from ..pictures.subject import Subject

MOST = 48 << 20  # bytes: 80 pictures of 224 × 224 pixels, more than a class has at a time


class PreparedInputs:
    """A subject's arguments for photos, made once for each.

    The least recently used go first. Many threads may use it at once.
    """

    def __init__(self, subject: Subject, most: int = MOST) -> None:
        self._subject = subject
        self._kept = ByteCache[tuple[Any, ...]](most, _bytes)

    def of(self, photo: Photo) -> tuple[Any, ...]:
        """The model call's positional arguments for a photo.

        They are the caller's own, to write into.
        """
        found = self._kept.get(photo.fingerprint)
        if found is None:
            found = self._kept.keep(photo.fingerprint, self._subject.arguments(photo.image))
        copied: tuple[Any, ...] = map_tensors(found, torch.clone)  # a model may write into its input
        return copied


def _bytes(arguments: tuple[Any, ...]) -> int:
    return sum(tensor.nbytes for tensor in leaves(arguments).values())
