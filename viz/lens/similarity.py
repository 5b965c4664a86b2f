"""Similarity of layers: linear CKA, estimated without bias from minibatches.

CKA is centred kernel alignment.

The estimator is that of Nguyen, Raghu and Kornblith (2021): the unbiased HSIC of Song et al. (2012) is summed
over minibatches, for each pair of layers and for each layer with itself, and the quotient comes last.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

BATCH = 256
"""Pictures at a time."""
LEAST = 4
"""Pictures that a minibatch needs: the unbiased HSIC divides by n - 3."""
SEED = 0

Matrix = NDArray[np.float64]


class Similarity:
    """Sums over minibatches, from which the CKA of layers follows.

    A minibatch of all layers is in memory, however many there are.
    """

    def __init__(self) -> None:
        self._between: Matrix | None = None
        self._left: Matrix | None = None
        self._right: Matrix | None = None

    def add(
        self, layers: Sequence[NDArray[np.floating]], others: Sequence[NDArray[np.floating]] | None = None
    ) -> None:
        """Take a minibatch of n pictures, the same ones for all layers.

        Args:
            layers: (n, …) for each layer: its channels' means, or its whole maps.
            others: likewise, of the layers to compare with; by default ``layers``.

        Raises:
            ValueError: n is below ``LEAST``.
        """
        left = _kernels(layers)
        right = left if others is None else _kernels(others)
        self._between = _sum(self._between, left @ right.T)
        self._left = _sum(self._left, (left**2).sum(axis=1))
        self._right = _sum(self._right, (right**2).sum(axis=1))

    def cka(self) -> Matrix:
        """Return the CKA of each pair, (layers, others).

        It is 1 for layers that are the same up to rotation and scale, and about 0 for independent ones.

        As the estimate is unbiased, it can be a little below 0 or above 1. A layer that is the same for
        every picture has NaN.

        Raises:
            ValueError: nothing was added.
        """
        if self._between is None or self._left is None or self._right is None:
            raise ValueError("no minibatch was added")
        size = np.sqrt(np.outer(self._left, self._right))
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Matrix = np.where(size > 0, self._between / size, np.nan)
        return found


def minibatches(pictures: int, size: int = BATCH) -> Iterator[NDArray[np.int64]]:
    """Yield the numbers of pictures in random minibatches of similar size.

    The seed is fixed.

    In a folder's own order a minibatch would have one class alone.
    """
    order = np.random.default_rng(SEED).permutation(pictures)
    yield from np.array_split(order, batches_of(pictures, size))


def batches_of(pictures: int, size: int = BATCH) -> int:
    """Return into how many minibatches so many pictures are parted."""
    return max(1, -(-pictures // size))


def _kernels(layers: Sequence[NDArray[np.floating]]) -> Matrix:
    """Return each layer's U-centred linear kernel, (layers, n²).

    The products of its rows are HSICs.
    """
    return np.stack([_u_centred(each).reshape(-1) for each in layers])


def _u_centred(values: NDArray[np.floating]) -> Matrix:
    """Return the U-centred kernel (n, n) of values (n, …).

    The mean of each row and column is removed as HSIC₁ does.

    It is scaled so that the sum of the products of two such matrices is their unbiased HSIC.
    """
    count = len(values)
    if count < LEAST:
        raise ValueError(f"a minibatch needs {LEAST} pictures or more, not {count}")
    flat = values.reshape(count, -1).astype(np.float64)
    flat -= flat.mean(axis=0)  # does not change the result, but keeps its digits
    kernel: Matrix = flat @ flat.T
    np.fill_diagonal(kernel, 0)
    rows = kernel.sum(axis=0) / (count - 2)
    kernel -= rows[:, None] + rows - rows.sum() / (count - 1)
    np.fill_diagonal(kernel, 0)
    kernel /= np.sqrt(count * (count - 3))
    return kernel


def _sum(before: Matrix | None, more: Matrix) -> Matrix:
    return more if before is None else before + more
