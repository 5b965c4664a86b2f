"""Pictures that are kept for each channel, a bounded number."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .looked import Channels, LookedPicture, parts

Key: TypeAlias = tuple[str, int]
"""A layer and one of its calls, counted from 0."""
Kept: TypeAlias = NDArray[np.void]
"""(ranks, channels) of ``RECORD``, the strongest first; a value of NaN where there is no picture yet."""

Boxes: TypeAlias = NDArray[np.int32]
"""(ranks, channels, 4): left, top, right and bottom of each; the last two are just outside, as in Pillow."""

NUMBERS = ("value", "number", "row", "column", "form")
RECORD = np.dtype([("value", "f4"), ("number", "i8"), ("row", "i4"), ("column", "i4"), ("form", "i4")])
"""A picture kept for a channel: its maximum, the picture's number, where, and the input's form."""
_NOTHING = (np.nan, -1, 0, 0, 0)
_SPARE_NAMES = 10_000


class Ranking:
    """The strongest pictures of every channel so far.

    Of equally strong ones, those that came first are kept. A NaN is no excitation, and is never kept.
    """

    def __init__(self, top: int) -> None:
        self.top = top
        self.kept: dict[Key, Kept] = {}
        self.names: dict[int, str] = {}
        self._pruned = 0

    def add(self, looked: Sequence[LookedPicture]) -> None:
        """Take more pictures into account; they come after all that came before."""
        for _, alike in groupby(looked, key=lambda each: each.peaks.calls):
            for call, fresh in _by_call(list(alike)):
                _keep_strongest(self._kept_of(call), fresh)
        self.names |= {each.number: each.picture for each in looked}
        if len(self.names) > 2 * self._pruned + _SPARE_NAMES:
            self.forget_names()

    def forget_names(self) -> None:
        """Forget the names of pictures that are kept for no channel."""
        numbers = {int(number) for kept in self.kept.values() for number in np.unique(kept["number"])}
        self.names = {number: name for number, name in self.names.items() if number in numbers}
        self._pruned = len(self.names)

    def _kept_of(self, call: Channels) -> Kept:
        """Return a call's kept pictures, with room for all its channels."""
        key = call.layer, call.call
        kept = self.kept.get(key, np.empty((self.top, 0), RECORD))
        missing = call.channels - kept.shape[1]
        if missing > 0:
            self.kept[key] = np.concatenate([kept, nothing(self.top, missing)], axis=1)
        return self.kept[key][:, : call.channels]


def nothing(top: int, channels: int) -> Kept:
    """Return the records of channels before the first picture."""
    return np.full((top, channels), np.array(_NOTHING, RECORD))


class _NewPeaks(NamedTuple):
    """Peaks of some pictures for one call.

    Each array is (pictures, channels), or has one number for each picture.
    """

    value: NDArray[np.float32]
    row: NDArray[np.int32]
    column: NDArray[np.int32]
    number: NDArray[np.int64]
    form: NDArray[np.int32]


def _keep_strongest(kept: Kept, fresh: _NewPeaks) -> None:
    """Put the strongest of kept and fresh pictures into ``kept``.

    Of equal ones, the first stay.
    """
    worst = kept["value"][-1]
    better = np.isnan(worst) | (fresh.value > worst).any(0)
    if better.any():
        both = np.concatenate([kept[:, better], _records(fresh, better)])
        order = np.argsort(-both["value"], axis=0, kind="stable")[: len(kept)]  # NaN comes last
        strongest = np.take_along_axis(both, order, 0)
        strongest[np.isnan(strongest["value"])] = _NOTHING
        kept[:, better] = strongest


def _records(fresh: _NewPeaks, better: NDArray[np.bool_]) -> Kept:
    """Return fresh pictures as records, of these channels alone."""
    records = np.empty((len(fresh.value), np.count_nonzero(better)), RECORD)
    for name in ("value", "row", "column"):
        records[name] = getattr(fresh, name)[:, better]
    records["number"], records["form"] = fresh.number[:, None], fresh.form[:, None]
    return records


def _by_call(group: Sequence[LookedPicture]) -> Iterator[tuple[Channels, _NewPeaks]]:
    """Yield each call's peaks of pictures with the same calls."""
    calls = group[0].peaks.calls
    number, form = np.array([looked.number for looked in group]), np.array([looked.form for looked in group])
    values, rows, columns = (
        parts(calls, np.stack([getattr(looked.peaks, name) for looked in group]))
        for name in ("maximum", "row", "column")
    )
    for (call, value), (_, row), (_, column) in zip(values, rows, columns, strict=True):
        yield call, _NewPeaks(value, row, column, number, form)
