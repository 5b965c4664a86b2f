"""Principal components of a layer's maps: places are samples, channels are variables."""

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
COMPONENTS = 3  # one each for red, green and blue
_TIE = 1e-9  # loadings nearer to each other count as equally large, since rounding alone may tell them apart


def principal_components(rows: Doubles) -> tuple[Doubles, tuple[float, ...]]:
    """Return places' scores on three principal components, and shares of variance.

    Places with a number that is not finite are left out, and have the score NaN. Components that the numbers
    do not have, beyond their rank, are zero and explain 0. Of a component and its negative, the one is taken
    whose loading of largest absolute value is positive; of equally large ones, that of the lowest channel.

    Args:
        rows: numbers (channels, places).

    Returns:
        Scores (places, 3), and three shares from 0 to 1 in descending order.

    Source: Pearson, On lines and planes of closest fit to systems of points in space (1901). The sign is that
    of ``svd_flip`` in scikit-learn, which leaves ties to rounding.
    """
    finite = np.isfinite(rows).all(axis=0)
    scores = np.full((rows.shape[1], COMPONENTS), np.nan)
    samples, exponent = _centred(rows[:, finite].T)
    loadings, shares = _loadings(samples)
    with np.errstate(over="ignore"):
        scores[finite] = np.ldexp(samples @ loadings.T, exponent)
    return scores, shares


def _centred(samples: Doubles) -> tuple[Doubles, int]:
    """Return centred samples, scaled by a power of two, and its exponent.

    The scale prevents overflow. One sample is subtracted first, which is exact for numbers of single
    precision: what is constant becomes zero, not a remainder of rounding.
    """
    if not samples.size:
        return samples, 0
    exponent = int(np.frexp(np.abs(samples).max())[1]) + 1
    shifted = np.ldexp(samples, -exponent)
    shifted -= shifted[0].copy()
    centred: Doubles = shifted - shifted.mean(axis=0)
    return centred, exponent


def _loadings(centred: Doubles) -> tuple[Doubles, tuple[float, ...]]:
    """Return the directions (3, channels) of largest variance, and their shares."""
    found = np.zeros((COMPONENTS, centred.shape[1]))
    shares = np.zeros(COMPONENTS)
    if centred.any():
        # The factor R has the same singular values and directions, and at most channels × channels numbers.
        _, sizes, directions = np.linalg.svd(np.linalg.qr(centred, mode="r"), full_matrices=False)
        rank = np.count_nonzero(sizes > sizes[0] * max(centred.shape) * np.finfo(np.float64).eps)
        count = min(rank, COMPONENTS)
        found[:count] = _signed(directions[:count])
        shares[:count] = (sizes[:count] / sizes[0]) ** 2 / ((sizes / sizes[0]) ** 2).sum()
    return found, tuple(shares.tolist())


def _signed(directions: Doubles) -> Doubles:
    """Return the directions with the sign that makes their largest loading positive."""
    heights = np.abs(directions)
    largest = (heights >= heights.max(axis=1, keepdims=True) * (1 - _TIE)).argmax(axis=1)
    signed: Doubles = directions * np.sign(np.take_along_axis(directions, largest[:, None], axis=1))
    return signed
