"""Likeness by chance: against thousands of comparisons of noise."""

from itertools import combinations

import numpy as np
import pytest

from viz.lens.chance import SAME, chance_cka, chance_scores, dead_share, pictures_needed
from viz.lens.classes import standardised
from viz.lens.similarity import LEAST, Similarity, minibatches


@pytest.mark.parametrize(
    ("pictures", "widths", "times", "least"),
    [(20, [1] * 6, 2000, 0.02), (20, [1, 3, 8, 64, 200], 2000, 0), (258, [1] * 4, 600, 0.02)],
)
def test_chance_makes_some_pair_alike_in_one_comparison_of_twenty(
    pictures: int, widths: list[int], times: int, least: float
) -> None:
    """Noise passes the bound no more often; of one channel each, in one minibatch or two, hardly less."""
    random, passed = np.random.default_rng(0), 0
    pairs = list(combinations(range(len(widths)), 2))
    for _ in range(times):
        layers, sums = [random.normal(size=(pictures, width)) for width in widths], Similarity()
        for part in minibatches(pictures):
            sums.add([each[part] for each in layers])
        found = sums.cka()
        passed += max(found[pair] for pair in pairs) > chance_cka(pictures, len(pairs))
    assert least < passed / times + 1e-9 < 0.065


def test_it_is_said_how_many_pictures_a_comparison_takes() -> None:
    """One picture less, and chance alone makes layers look the same; more pairs take more."""
    for pairs in (1, 45, 1225):
        needed = pictures_needed(pairs)
        assert chance_cka(needed, pairs) < SAME <= chance_cka(needed - 1, pairs)
    assert pictures_needed(1) < pictures_needed(45) < pictures_needed(1225)
    assert chance_cka(LEAST - 1, 1) == np.inf


@pytest.mark.parametrize(("counts", "channels"), [((2, 2), 8), ((3, 5, 12), 8), ((40, 10), 64)])
def test_chance_makes_some_class_excite_a_channel_in_one_layer_of_twenty(
    counts: tuple[int, ...], channels: int
) -> None:
    """2,000 layers of noise with classes of several sizes: no more pass the bound, and hardly fewer."""
    random, numbers = np.random.default_rng(0), np.repeat(np.arange(len(counts)), counts)
    bound, passed = chance_scores(np.array(counts), channels), 0
    for _ in range(2000):
        score = standardised(random.normal(size=(len(numbers), channels)), numbers, len(counts))
        passed += bool((np.abs(score) > bound).any())
    assert passed / 2000 < 0.065
    assert passed / 2000 > 0.015


def test_two_pictures_of_two_classes_say_nothing() -> None:
    """Their scores are one deviation above and below, whatever the channel is."""
    assert (chance_scores(np.array([1, 1]), 4) >= 1).all()


def test_a_dead_channel_may_live_on_other_pictures() -> None:
    """A channel that so many of all pictures excite is met by none of these in one sample of twenty."""
    for pictures in (4, 100):
        assert (1 - dead_share(pictures)) ** pictures == pytest.approx(0.05)
    assert dead_share(300) == pytest.approx(3 / 300, rel=0.01)  # the rule of three
