"""Numbers as an answer holds them: six digits, all valid in JSON."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_DIGITS = 6
_TENS = np.array([float(f"1e{power}") for power in range(23)])  # exact; 10 ** 23 is not


def finite_or_none(number: float) -> float | None:
    """The number, or None in place of one that JSON cannot write."""
    return number if math.isfinite(number) else None


def rounded(numbers: Iterable[float]) -> tuple[float | None, ...]:
    """The numbers to six digits; None for those JSON cannot write.

    Six digits are more than the page shows, and half the size of full precision.
    """
    found = _rounded_list(numbers)
    return tuple([number if math.isfinite(number) else None for number in found])


def rounded_shares(numbers: Iterable[float]) -> tuple[float, ...]:
    """The same of numbers that are always finite, such as shares."""
    return tuple(_rounded_list(numbers))


def _rounded_list(numbers: Iterable[float]) -> list[float]:
    values = np.asarray(numbers if isinstance(numbers, np.ndarray) else list(numbers), np.float64)
    found: list[float] = _rounded(values).tolist()
    return found


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round all values at once as ``float(f"{value:.6g}")`` does."""
    size = np.abs(values)
    easy = np.flatnonzero((size > 1e-16) & (size < 1e22))  # noqa: PLR2004  # the table reaches as far
    places = _DIGITS - 1 - np.floor(np.log10(size[easy])).astype(np.intp)
    scale = _TENS[np.abs(places)]
    moved = np.where(places < 0, values[easy] / scale, values[easy] * scale)
    whole = np.rint(moved)
    clear = np.abs(moved - whole) < 0.5 - 1e-6  # a half may be one or nearly one
    hard = size > 0
    hard[easy[clear]] = False
    found = values.copy()
    found[easy] = np.where(places < 0, whole * scale, whole / scale)  # of exact numbers: rounded once
    found[hard] = [float(f"{value:.{_DIGITS}g}") for value in values[hard]]
    return found
