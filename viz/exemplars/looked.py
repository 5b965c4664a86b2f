"""What one look of the model at one picture did to all channels, as plain arrays."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Channels(NamedTuple):
    """One call of one layer, counted from 0, and how many channels it returned."""

    layer: str
    call: int
    channels: int


class Peaks(NamedTuple):
    """The strongest cell of every channel, those of one call behind those of another.

    Attributes:
        calls: whose channels they are.
        maximum: float32 (channels), the largest number of each; NaN if a number is NaN.
        mean: float32 (channels).
        row: int32 (channels), where the maximum is; of several, the first, row by row.
        column: int32 (channels).
    """

    calls: tuple[Channels, ...]
    maximum: NDArray[np.float32]
    mean: NDArray[np.float32]
    row: NDArray[np.int32]
    column: NDArray[np.int32]


class Looked(NamedTuple):
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


def parts(calls: Sequence[Channels], values: NDArray[Any]) -> Iterator[tuple[Channels, NDArray[Any]]]:
    """Yield each call with its share of ``values``, whose last axis is that of all calls' channels."""
    begun = 0
    for call in calls:
        yield call, values[..., begun : begun + call.channels]
        begun += call.channels
