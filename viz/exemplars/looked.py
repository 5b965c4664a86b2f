"""Results of one look at one picture, for all channels."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

STATISTICS = ("minimum", "deviation", "positive")
"""What may be asked for of each channel: the least number, the standard deviation of all of its cells (not of
a sample), and the share of cells that are above zero."""


class Channels(NamedTuple):
    """One call of one layer, and the number of its channels.

    Calls are counted from 0.
    """

    layer: str
    call: int
    channels: int


class Peaks(NamedTuple):
    """The strongest cell of every channel, call by call.

    Attributes:
        calls: the owners of the channels.
        maximum: float32 (channels), the largest number of each; NaN if a number is NaN.
        mean: float32 (channels).
        row: int32 (channels), that of the maximum; of several, the first, row by row.
        column: int32 (channels).
        more: further statistics by name, each float32 (channels): those of ``STATISTICS``, or none.
    """

    calls: tuple[Channels, ...]
    maximum: NDArray[np.float32]
    mean: NDArray[np.float32]
    row: NDArray[np.int32]
    column: NDArray[np.int32]
    more: Mapping[str, NDArray[np.float32]] = MappingProxyType({})


class RawMaps(NamedTuple):
    """Maps that one call of a layer returned for a picture.

    Attributes:
        layer: the layer's name.
        call: counted from 0.
        values: (channels, rows, columns), float32 or float16.
    """

    layer: str
    call: int
    values: NDArray[np.floating[Any]]


class LookedPicture(NamedTuple):
    """A picture that the model has looked at.

    Attributes:
        number: its place in the listing, from 0.
        picture: its path, as text.
        form: which form its input has: the place of the input's shapes among those met so far.
        peaks: what it did to all channels.
    """

    number: int
    picture: str
    form: int
    peaks: Peaks


class PictureResult(NamedTuple):
    """Results for a picture, or the reason why it is left out.

    Attributes:
        number: its place in the listing, from 0.
        picture: its path, as text.
        size: (width, height) before it was prepared; zeros if it cannot be read.
        thumbnail: a small JPEG of it; empty if there is none.
        problem: the reason why it is left out; empty if it is not.
        shapes: those of the input's tensors.
        peaks: those of all channels; None if it is left out.
        maps: those of the layers whose maps are kept.
    """

    number: int
    picture: str
    size: tuple[int, int] = (0, 0)
    thumbnail: bytes = b""
    problem: str = ""
    shapes: tuple[tuple[int, ...], ...] = ()
    peaks: Peaks | None = None
    maps: tuple[RawMaps, ...] = ()


def parts(calls: Sequence[Channels], values: NDArray[Any]) -> Iterator[tuple[Channels, NDArray[Any]]]:
    """Yield each call with its share of ``values``.

    The last axis of ``values`` is that of all calls' channels.
    """
    begun = 0
    for call in calls:
        yield call, values[..., begun : begun + call.channels]
        begun += call.channels
