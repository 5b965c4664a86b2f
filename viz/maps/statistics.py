"""Statistics of a layer's numbers: range, mean, spread, zeros, odd values.

Every figure is accumulated in double precision and counts finite values only; NaN and the infinities are
counted separately.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checked import checked_maps

_WIDEST = 1e307  # a histogram's range must itself be a double; values beyond it count in the end bins
_AT_ONCE = 1 << 15  # values: so many, and what is computed of them, fit into a processor's cache
_COARSE = 1e-3  # of a bin's width: if edges are known no better than that, NumPy looks at every value


@dataclass(frozen=True)
class Statistics:
    """Statistics of one array.

    Without a finite value the first four are NaN. ``zeros`` is the share of values that are exactly zero,
    from 0 to 1, among all values.
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
        """Number of infinite values, of either sign."""
        return self.positive_infinities + self.negative_infinities

    @property
    def finite(self) -> bool:
        """True if every value is finite."""
        return self.nan == 0 and self.infinities == 0


@dataclass(frozen=True, eq=False)
class ChannelStatistics:
    """Statistics of each channel, as arrays (channels,).

    All but ``zeros`` are NaN where a channel has no finite value.
    """

    minimum: NDArray[np.float64]
    maximum: NDArray[np.float64]
    mean: NDArray[np.float64]
    variance: NDArray[np.float64]
    zeros: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Histogram:
    """Histogram of finite values in bins of equal width.

    ``counts`` are (bins,), and ``edges`` (bins + 1,).
    """

    counts: NDArray[np.int64]
    edges: NDArray[np.float64]


def statistics(values: ArrayLike) -> Statistics:
    """The statistics of an array of real numbers of any shape.

    Raises:
        LayoutError: not real numbers, or empty.
    """
    row = _rows(np.asarray(values).reshape(1, 1, -1))
    found = _moments(row)
    number = row.dtype.kind == "f" and not np.isfinite(row).all()
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
    """The histogram of the finite values.

    Without any, its counts are zero over 0 … 1.

    Raises:
        LayoutError: not real numbers, or empty.
    """
    row = _rows(np.asarray(values).reshape(1, 1, -1))[0].astype(np.float64)
    finite = np.isfinite(row)
    row = row if finite.all() else row[finite]
    low, high = (row.min(), row.max()) if row.size else (0.0, 1.0)
    if low < -_WIDEST or high > _WIDEST:
        row = np.clip(row, -_WIDEST, _WIDEST)
        low, high = row.min(), row.max()
    if np.spacing(max(abs(low), abs(high))) * bins > high - low:
        middle = low / 2 + high / 2
        low, high = middle - max(0.5, abs(middle)), middle + max(0.5, abs(middle))
    return _histogram_between(row, float(low), float(high), bins)


def _histogram_between(values: NDArray[np.float64], low: float, high: float, bins: int) -> Histogram:
    """The histogram of values from ``low`` to ``high``, as ``numpy.histogram`` counts.

    NumPy compares every value with the edges of its bin. Here that is done only for values near an edge.
    """
    slack = 4 * bins * np.spacing(max(abs(low), abs(high))) / (high - low)
    if not slack < _COARSE or not np.isfinite(bins / (high - low)):
        counts, edges = np.histogram(values, bins=bins, range=(low, high))
        return Histogram(counts.astype(np.int64), edges)
    edges = np.linspace(low, high, bins + 1)
    counts = np.zeros(bins, np.int64)
    for begun in range(0, values.size, _AT_ONCE):
        found = _bins_of(values[begun : begun + _AT_ONCE], edges, slack)
        counts += np.bincount(found, minlength=bins)
    return Histogram(counts, edges)


def _bins_of(values: NDArray[np.float64], edges: NDArray[np.float64], slack: float) -> NDArray[np.intp]:
    """Return the bin of each value, by its lower edge."""
    bins = len(edges) - 1
    place = (values - edges[0]) * (bins / (edges[-1] - edges[0]))
    found = place.astype(np.intp)
    place -= found
    near = np.flatnonzero((place > 1 - slack) | ((place < slack) & (found > 0)))
    found[near] = np.searchsorted(edges, values[near], "right") - 1
    capped: NDArray[np.intp] = np.minimum(found, bins - 1)
    return capped


def _rows(maps: ArrayLike) -> NDArray[np.generic]:
    """The values of each channel in a row, (channels, height * width)."""
    values = checked_maps(maps)
    values = values.view(np.uint8) if values.dtype.kind == "b" else values
    return values.reshape(len(values), -1)


def _moments(rows: NDArray[np.generic]) -> ChannelStatistics:
    """The statistics of each row, with two passes for the variance.

    So its digits are kept if the mean is large.
    """
    zeros = np.count_nonzero(rows == 0, axis=1) / rows.shape[1]
    doubles = rows.astype(np.float64)
    finite = np.isfinite(doubles)
    if finite.all():
        return _finite_moments(rows, doubles, zeros)
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


def _finite_moments(
    rows: NDArray[np.generic], doubles: NDArray[np.float64], zeros: NDArray[np.float64]
) -> ChannelStatistics:
    """The statistics of rows whose values are all finite, much faster.

    ``doubles`` are used up.
    """
    low, high = (found(rows, axis=1).astype(np.float64) for found in (np.min, np.max))
    with np.errstate(over="ignore", invalid="ignore"):
        mean = doubles.sum(axis=1) / rows.shape[1]
        doubles -= mean[:, None]
        variance = np.einsum("ij,ij->i", doubles, doubles) / rows.shape[1]
    return ChannelStatistics(low, high, mean, variance, zeros)
