"""Pictures that are the same: copies, nearly equal ones, and those that merely look alike."""

import tracemalloc

import numpy as np
import pytest

from viz.lens import same
from viz.lens.same import same_pictures

RANDOM = np.random.default_rng(5)


def test_copies_belong_together_and_others_do_not() -> None:
    """Copies with small errors too, as of a picture that was saved anew."""
    once = RANDOM.normal(size=(50, 40))
    groups = same_pictures(np.concatenate([once, once, once * (1 + 1e-3 * RANDOM.normal(size=once.shape))]))
    assert len(set(groups)) == 50
    assert groups[:50].tolist() == groups[50:100].tolist() == groups[100:].tolist()


@pytest.mark.parametrize("rank", [6, 64])
@pytest.mark.parametrize("pairs", [7, 1 << 20])
def test_nearness_is_that_of_all_pairs(rank: int, pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pair by hand, and links by way of others, also where channels depend on each other.

    However many pairs are looked at at once.
    """
    monkeypatch.setattr(same, "_PAIRS", pairs)
    monkeypatch.setattr(same, "_AT_ONCE", 64 * pairs)
    values = RANDOM.normal(size=(300, rank)) @ RANDOM.normal(size=(rank, 64))
    values[200:] = values[:100] + 0.03 * RANDOM.normal(size=(100, 64)) * values.std(0)
    scaled = (values - values.mean(0)) / values.std(0)
    apart = np.linalg.norm(scaled[:, None] - scaled, axis=2)
    reached = apart <= 0.03 * np.sqrt(2 * 64)
    for _ in range(9):
        reached = (reached.astype(int) @ reached) > 0
    groups = same_pictures(values)
    np.testing.assert_array_equal(groups[:, None] == groups, reached)
    assert 200 <= len(set(groups)) < 300


def test_many_equal_pictures_take_no_memory_for_their_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand of two kinds: a tenth of what the pairs of near ones alone would take."""
    monkeypatch.setattr(same, "_PAIRS", 1 << 12)
    monkeypatch.setattr(same, "_AT_ONCE", 1 << 14)
    kind = np.arange(2000) % 2
    values = kind[:, None] + 1e-4 * RANDOM.normal(size=(2000, 4))
    tracemalloc.start()
    groups = same_pictures(values)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert groups.tolist() == kind.tolist()
    assert peak < 2 * 1000 * 999 / 2 * 2 * groups.itemsize / 10


def test_channels_that_say_nothing_do_not_count() -> None:
    """Without any other, each picture is another one."""
    values = RANDOM.normal(size=(20, 4))
    assert len(set(same_pictures(np.concatenate([values, values])))) == 20
    values[:, :2], values[3, 2], values[4, 3] = 7, np.nan, np.inf
    assert same_pictures(values).tolist() == list(range(20))
