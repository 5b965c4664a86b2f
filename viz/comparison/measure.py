"""Distance between two outputs, summed up over their tensors and calls."""

import math
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from ..hooks.records import leaves, to_array
from ..hooks.values.structure import Paths
from .terms import Tolerance

_AT_ONCE = 1 << 20  # values that are compared at once, which bounds the memory of what lies between

_WHOLE = "bui"  # the kinds of NumPy arrays of whole numbers and booleans

Array = NDArray[Any]


class Unordered(tuple[Any, ...]):
    """Values of a call in no known order, some of them missing."""

    __slots__ = ()


class Numbers(NamedTuple):
    """Distance in numbers: see ``rows.DivergenceRow``."""

    max_abs: float | None
    max_rel: float | None
    cosine: float | None
    outside: float | None


class Measure:
    """Distance between pairs of outputs: every pair that is added counts."""

    def __init__(self, tolerance: Tolerance) -> None:
        self._tolerance = tolerance
        self._values = self._outside = 0
        self._products = np.zeros(3)  # a·a, b·b, a·b
        self._max_abs = self._max_rel = 0.0
        self.misshapen = False  # whether a pair has no values beside each other

    def add(self, a: Any, b: Any) -> bool:
        """Compare two outputs; return whether any value is outside the tolerance."""
        before = self._outside
        of_a, of_b = leaves(a), leaves(b)
        if isinstance(a, Unordered) or isinstance(b, Unordered):
            of_a, of_b = self._likest(of_a, of_b)
        if of_a.keys() != of_b.keys() and len(of_a) == len(of_b):  # a list here, a dict there: by their order
            of_b = dict(zip(of_a, of_b.values(), strict=True))
        for path in of_a.keys() | of_b.keys():
            self._add_tensors(of_a.get(path), of_b.get(path))
        return self._outside > before

    def _likest(self, of_a: Paths, of_b: Paths) -> tuple[Paths, Paths]:
        """Return pairs of tensors that are most like each other.

        Of several with one shape and kind of number it is the closest: a wrong order is no difference here,
        and makes one in the layer that is given it.
        """
        if len(of_a) == len(of_b) == 1 or not (of_a and of_b):
            return of_a, of_b
        ranked = sorted((self._unlikeness(of_a[i], of_b[j]), i, j) for i in of_a for j in of_b)
        found: dict[str, str] = {}
        for _, i, j in ranked:
            if i not in found and j not in found.values():
                found[i] = j
        return {i: of_a[i] for i in found}, {i: of_b[j] for i, j in found.items()}

    def _unlikeness(self, a: torch.Tensor, b: torch.Tensor) -> tuple[bool, bool, float, float]:
        if a.shape != b.shape or a.is_floating_point() != b.is_floating_point():
            return a.shape != b.shape, True, 0.0, 0.0
        apart = Measure(self._tolerance)
        apart._add_tensors(a, b)
        return False, False, apart.outside, apart._max_abs

    def _add_tensors(self, a: torch.Tensor | None, b: torch.Tensor | None) -> None:
        if a is None or b is None or a.shape != b.shape:
            size = max(each.numel() for each in (a, b) if each is not None)
            self._values += max(size, 1)
            self._outside += max(size, 1)
            self.misshapen = True
            return
        flat_a, flat_b = to_array(a).reshape(-1), to_array(b).reshape(-1)
        for start in range(0, len(flat_a), _AT_ONCE):
            self._add_values(flat_a[start : start + _AT_ONCE], flat_b[start : start + _AT_ONCE])

    def _add_values(self, a: Array, b: Array) -> None:
        distance = _distance(a, b)
        exact = a.dtype.kind in _WHOLE and b.dtype.kind in _WHOLE
        size = _magnitude(b)
        allowed = 0.0 if exact else self._tolerance.absolute + self._tolerance.relative * size
        self._values += len(a)
        self._outside += int(np.count_nonzero((distance > allowed) | np.isinf(distance)))
        self._max_abs = max(self._max_abs, float(distance.max()))
        divisible = (size > 0) & np.isfinite(size)
        if divisible.any():
            self._max_rel = max(self._max_rel, float((distance[divisible] / size[divisible]).max()))
        finite = np.isfinite(a) & np.isfinite(b)
        wide_a, wide_b = _wide(a[finite]), _wide(b[finite])
        pairs = ((wide_a, wide_a), (wide_b, wide_b), (wide_a, wide_b))
        self._products += [(x * y.conj()).real.sum() for x, y in pairs]  # np.vdot's threads cost more here

    @property
    def outside(self) -> float:
        """Share of values outside the tolerance; 0 of none."""
        return self._outside / self._values if self._values else 0.0

    def numbers(self) -> Numbers:
        """Return what is known; only the share outside if shapes differ."""
        if self.misshapen:
            return Numbers(None, None, None, self.outside)
        return Numbers(self._max_abs, self._max_rel, self._cosine(), self.outside)

    def _cosine(self) -> float | None:
        of_a, of_b, both = map(float, self._products)
        if not of_a and not of_b:
            return None
        if not of_a or not of_b:
            return 0.0
        found = both / (math.sqrt(of_a) * math.sqrt(of_b))
        return min(max(found, -1.0), 1.0) if math.isfinite(found) else None


def _distance(a: Array, b: Array) -> Array:
    """Return ``|a − b|`` in float64.

    It is 0 for equal values, also where not finite, and infinite where only one of them is finite.
    """
    if a.dtype.kind in _WHOLE and b.dtype.kind in _WHOLE and _is_large(a, b):
        exact: Array = np.abs(a.astype(object) - b.astype(object)).astype(np.float64)
        return exact
    with np.errstate(invalid="ignore", over="ignore"):
        distance: Array = np.abs(_wide(a) - _wide(b))
    distance[(a == b) | (np.isnan(a) & np.isnan(b))] = 0.0
    distance[np.isnan(distance)] = np.inf
    return distance


def _is_large(*arrays: Array) -> bool:
    """Return whether whole numbers are too large for float64's precision."""
    return any(array.dtype.itemsize > 4 and np.abs(_wide(array)).max(initial=0) >= 2**53 for array in arrays)  # noqa: PLR2004  # bits of a float64


def _magnitude(array: Array) -> Array:
    size: Array = np.abs(_wide(array))
    return size


def _wide(array: Array) -> Array:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
