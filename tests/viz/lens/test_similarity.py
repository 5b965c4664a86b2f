"""Linear CKA: against the formula written out with loops, and against another library."""

from itertools import permutations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from viz.lens.similarity import LEAST, Similarity, minibatches

RANDOM = np.random.default_rng(0)


def _layers(count: int) -> list[NDArray[np.float32]]:
    """Layers of which some depend on each other, some are maps, and all lie far from zero."""
    base = RANDOM.normal(size=(count, 6))
    mixed = base @ RANDOM.normal(size=(6, 9)) + 0.5 * RANDOM.normal(size=(count, 9))
    maps = RANDOM.normal(size=(count, 3, 4, 5)) + base[:, :3, None, None]
    return [
        each.astype(np.float32) for each in (base + 4, 100 * mixed - 30, maps, RANDOM.normal(size=(count, 2)))
    ]


def _hsic(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    """The unbiased HSIC as a U-statistic: a sum over all ordered choices of four different pictures."""
    (k, m), n = ((each @ each.T) for each in (one, two)), len(one)
    total = 0.0
    for i, j, q, r in permutations(range(n), 4):
        total += k[i, j] * (m[i, j] + m[q, r] - 2 * m[i, q])
    return total / (n * (n - 1) * (n - 2) * (n - 3))


def _flat(values: NDArray[np.float32]) -> NDArray[np.float64]:
    return values.reshape(len(values), -1).astype(np.float64)


def test_it_is_the_formula_written_out() -> None:
    """HSIC as its definition over four pictures at a time, summed over minibatches of unequal size."""
    layers, similarity = _layers(19), Similarity()
    parts = [np.arange(7), np.arange(7, 14), np.arange(14, 19)]
    # the sums over minibatches have the scale of HSIC itself, so that each counts alike
    for part in parts:
        similarity.add([each[part] for each in layers])
    sums = np.array([[sum(_hsic(_flat(a[p]), _flat(b[p])) for p in parts) for b in layers] for a in layers])
    expected = sums / np.sqrt(np.outer(sums.diagonal(), sums.diagonal()))
    np.testing.assert_allclose(similarity.cka(), expected, atol=1e-5)


def test_another_library_says_the_same() -> None:
    """pytorch-cka, which has the estimator by another formula, on the same minibatches."""
    from cka.hsic import hsic_cross

    layers, others = _layers(96), _layers(96)
    similarity, sums = Similarity(), np.zeros((3, 4, 4))
    for part in np.array_split(np.arange(96), 3):
        left, right = [each[part] for each in layers], [each[part] for each in others]
        similarity.add(left, right)
        one, two = (
            torch.stack([torch.from_numpy(_flat(each) @ _flat(each).T) for each in side])
            for side in (left, right)
        )
        pairs = (one, two), (one, one), (two, two)
        sums += np.stack([hsic_cross(*pair).numpy() for pair in pairs])
    expected = sums[0] / np.sqrt(np.outer(sums[1].diagonal(), sums[2].diagonal()))
    np.testing.assert_allclose(similarity.cka(), expected, atol=1e-5)


def test_rotation_and_scale_do_not_matter_and_independent_layers_are_near_zero() -> None:
    """On average exactly zero: the estimate has no bias, so it is as often below as above."""
    values = RANDOM.normal(size=(40, 5))
    turned = 7 * values @ np.linalg.qr(RANDOM.normal(size=(5, 5)))[0] + 2
    same = Similarity()
    same.add([values], [turned])
    assert same.cka()[0, 0] == pytest.approx(1)
    found = []
    for _ in range(200):
        apart = Similarity()
        apart.add([RANDOM.normal(size=(12, 30))], [RANDOM.normal(size=(12, 30))])
        found.append(apart.cka()[0, 0])
    assert abs(np.mean(found)) < 4 * np.std(found) / np.sqrt(200)
    assert min(found) < 0 < max(found)


def test_a_layer_that_never_changes_is_like_none() -> None:
    """And a minibatch has four pictures at least."""
    similarity = Similarity()
    similarity.add([np.zeros((5, 3)), RANDOM.normal(size=(5, 3))])
    assert np.isnan(similarity.cka()).tolist() == [[True, True], [True, False]]
    with pytest.raises(ValueError, match="4 pictures or more"):
        similarity.add([np.zeros((LEAST - 1, 3))])
    with pytest.raises(ValueError, match="no minibatch"):
        Similarity().cka()


def test_minibatches_mix_the_folder() -> None:
    """Each picture once, about as many in each, not in the folder's order, and the same again."""
    parts = list(minibatches(1000))
    assert sorted(np.concatenate(parts)) == list(range(1000))
    assert [len(part) for part in parts] == [250] * 4
    assert all(part.min() < 100 and part.max() > 900 for part in parts)
    assert all((a == b).all() for a, b in zip(parts, minibatches(1000), strict=True))
    assert [len(part) for part in minibatches(5)] == [5]
