"""All arrays of a run, one for each layer, call and shape."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from ..keeping import MAPS_FOLDER, UNFINISHED, writing, written_whole
from ..looked import PictureResult, RawMaps
from .array import METADATA, GrowingArray
from .form import array_metadata, group_metadata, pictures_in_a_shard

_UNDER_WAY = "maps"
_MODEL = "_"  # the name of an array of the model itself, whose own name is empty


class Kind(NamedTuple):
    """Identity of an array: the layer, the call, and the shape.

    Attributes:
        layer: the layer's name.
        call: counted from 0.
        shape: (channels, rows, columns).
    """

    layer: str
    call: int
    shape: tuple[int, int, int]

    @property
    def name(self) -> str:
        """Return the array's name, which is a safe file name too."""
        sides = "x".join(map(str, self.shape))
        return f"{quote(self.layer, safe=' ') or _MODEL}-{self.call}-{sides}"


class Arrays:
    """The arrays in a run's folder.

    Args:
        out: the folder of the results.
        pictures: how many there are.
        half: whether numbers are float16, in place of float32.
    """

    def __init__(self, out: Path, pictures: int, *, half: bool) -> None:
        self._finished = out / MAPS_FOLDER
        self._unfinished = out / UNFINISHED / _UNDER_WAY
        self._pictures = pictures
        self._type = np.dtype(np.float16 if half else np.float32)
        self._arrays: dict[Kind, GrowingArray] = {}

    def take_up(self, kinds: Iterable[Kind], done: int) -> None:
        """Go on behind the first ``done`` pictures with these arrays.

        Raises:
            RequestError: their files cannot be read or written.
        """
        with writing(self._unfinished):
            for kind in kinds:
                self._array(kind).take_up(done)

    def add(self, seen: PictureResult) -> None:
        """Append the maps of a picture.

        Raises:
            RequestError: they cannot be written.
        """
        with writing(self._finished):
            for maps in seen.maps:
                self._array(_kind(maps, maps.values)).add(seen.number, maps.values)

    def settle(self, done: int) -> None:
        """Bring to the disk the maps of the first ``done`` pictures.

        Raises:
            RequestError: it cannot be written.
        """
        with writing(self._finished):
            for array in self._arrays.values():
                array.settle(done)

    def publish(self, done: int) -> None:
        """Move full shards to their place.

        Raises:
            RequestError: they cannot be moved.
        """
        with writing(self._finished):
            for array in self._arrays.values():
                array.publish(done)

    def finish(self, done: int, *, complete: bool) -> None:
        """Put everything so far to its place.

        Raises:
            RequestError: it cannot be written.
        """
        with writing(self._finished):
            for array in self._arrays.values():
                array.finish(done, complete=complete)
            if self._arrays:
                text = group_metadata({})
                written_whole(self._finished / METADATA, lambda path: path.write_bytes(text))

    def leave(self) -> None:
        """Let go of all files."""
        for array in self._arrays.values():
            array.leave()

    @property
    def kinds(self) -> list[Kind]:
        """Identities of the arrays, in the order of their first maps."""
        return list(self._arrays)

    def _array(self, kind: Kind) -> GrowingArray:
        if kind not in self._arrays:
            shard = pictures_in_a_shard(self._pictures, int(np.prod(kind.shape)) * self._type.itemsize)
            about = {"layer": kind.layer, "call": kind.call}
            metadata = array_metadata((self._pictures, *kind.shape), shard, self._type, about)
            self._arrays[kind] = GrowingArray(
                self._unfinished / kind.name, self._finished / kind.name, shard, metadata
            )
        return self._arrays[kind]


def _kind(maps: RawMaps, values: NDArray[Any]) -> Kind:
    channels, rows, columns = values.shape
    return Kind(maps.layer, maps.call, (channels, rows, columns))
