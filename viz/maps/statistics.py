"""The statistics of a layer's numbers: range, mean, spread, zeros, and what is not a number at all.

Every figure is accumulated in double precision and counts finite values only; NaN and the infinities are
counted separately.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .colour import checked_maps

_WIDEST = 1e307  # a histogram's range must itself be a double; values beyond it count in the end bins


@dataclass(frozen=True)
class Statistics:
    """Statistics of one array. Without a finite value the first four are NaN.

    ``zeros`` is the share of values that are exactly zero, from 0 to 1, among all values.
    """

    minimum: float
    maximum: float
    mean: float
    deviation: float
    zeros: float
    nan: int
    positive_infinities: int
    negative_infinities: int
    count: int

    @property
    def infinities(self) -> int:
        """How many values are infinite, of either sign."""
        return self.positive_infinities + self.negative_infinities

    @property
    def finite(self) -> bool:
        """Whether every value is a finite number."""
        return self.nan == 0 and self.infinities == 0


@dataclass(frozen=True, eq=False)
class ChannelStatistics:
    """Statistics of each channel, arrays (channels,); NaN where a channel has no finite value."""

    minimum: NDArray[np.float64]
    maximum: NDArray[np.float64]
    mean: NDArray[np.float64]
    variance: NDArray[np.float64]
    zeros: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many finite values lie in each bin of equal width: ``counts`` (bins,), ``edges`` (bins + 1,)."""

    counts: NDArray[np.int64]
    edges: NDArray[np.float64]


def statistics(values: ArrayLike) -> Statistics:
    """The statistics of an array of real numbers of any shape.

    Raises:
        LayoutError: not real numbers, or empty.
    """
    row = _rows(np.asarray(values).reshape(1, 1, -1))
    found = _moments(row)
    number = row.dtype.kind == "f"
    return Statistics(
        minimum=float(found.minimum[0]),
        maximum=float(found.maximum[0]),
        mean=float(found.mean[0]),
        deviation=float(np.sqrt(found.variance[0])),
        zeros=float(found.zeros[0]),
        nan=int(np.count_nonzero(np.isnan(row))) if number else 0,
        positive_infinities=int(np.count_nonzero(row == np.inf)) if number else 0,
        negative_infinities=int(np.count_nonzero(row == -np.inf)) if number else 0,
        count=row.size,
    )


def channel_statistics(maps: ArrayLike) -> ChannelStatistics:
    """The statistics of each channel of maps (channels, height, width).

    Raises:
        LayoutError: not real numbers of that shape, or empty.
    """
    return _moments(_rows(maps))


def histogram(values: ArrayLike, bins: int = 64) -> Histogram:
    """The histogram of the finite values; all zero over 0 … 1 if there are none.

    Raises:
        LayoutError: not real numbers, or empty.
    """
    row = _rows(np.asarray(values).reshape(1, 1, -1))[0].astype(np.float64)
    row = np.clip(row[np.isfinite(row)], -_WIDEST, _WIDEST)
    low, high = (row.min(), row.max()) if row.size else (0.0, 1.0)
    if np.spacing(max(abs(low), abs(high))) * bins > high - low:
        middle = low / 2 + high / 2
        low, high = middle - max(0.5, abs(middle)), middle + max(0.5, abs(middle))
    counts, edges = np.histogram(row, bins=bins, range=(low, high))
    return Histogram(counts.astype(np.int64), edges)


def _rows(maps: ArrayLike) -> NDArray[np.generic]:
    """The values of each channel in a row, (channels, height * width)."""
    values = checked_maps(maps)
    values = values.view(np.uint8) if values.dtype.kind == "b" else values
    return values.reshape(len(values), -1)


def _moments(rows: NDArray[np.generic]) -> ChannelStatistics:
    """The statistics of each row; two passes for the variance keep its digits if the mean is large."""
    zeros = np.count_nonzero(rows == 0, axis=1) / rows.shape[1]
    doubles = rows.astype(np.float64)
    finite = np.isfinite(doubles)
    known = finite.sum(axis=1).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        low = np.min(doubles, axis=1, where=finite, initial=np.inf)
        high = np.max(doubles, axis=1, where=finite, initial=-np.inf)
        np.copyto(doubles, 0, where=~finite)
        mean = doubles.sum(axis=1) / known
        doubles -= mean[:, None]
        np.copyto(doubles, 0, where=~finite)
        variance = np.einsum("ij,ij->i", doubles, doubles) / known
    low, high = np.where(known, low, np.nan), np.where(known, high, np.nan)
    return ChannelStatistics(low, high, mean, variance, zeros)


def finite_or_none(number: float) -> float | None:
    """The number, or None in place of one that JSON cannot write."""
    return number if math.isfinite(number) else None


def rounded(numbers: Iterable[float]) -> tuple[float | None, ...]:
    """The numbers to six digits: more than the page shows, and half the size of full precision."""
    return tuple(finite_or_none(number) for number in rounded_shares(numbers))


def rounded_shares(numbers: Iterable[float]) -> tuple[float, ...]:
    """The same of numbers that are always finite, such as shares."""
    return tuple(float(f"{number:.6g}") for number in numbers)
