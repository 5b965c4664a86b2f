"""The pictures that are kept, beside sorting all of them."""

from itertools import pairwise

import numpy as np
import pytest

from viz.exemplars.looked import Channels, LookedPicture, Peaks, parts
from viz.exemplars.ranking import Ranking

NAN, INF = np.nan, np.inf


def looked(number: int, *values: float, calls: tuple[Channels, ...] | None = None) -> LookedPicture:
    """A picture with these maxima, in places that tell which picture it was."""
    maximum = np.array(values, np.float32)
    place = np.full(len(values), number, np.int32)
    calls = calls or (Channels("layer", 0, len(values)),)
    return LookedPicture(number, f"{number}.png", number % 3, Peaks(calls, maximum, maximum, place, place))


def kept(ranking: Ranking, key: tuple[str, int] = ("layer", 0)) -> list[list[int]]:
    """The numbers of the pictures that are kept for each channel."""
    return [[int(one["number"]) for one in channel if one["number"] >= 0] for channel in ranking.kept[key].T]


@pytest.mark.parametrize("block", [1, 7, 64, 200])
def test_the_strongest_are_those_of_a_sort(block: int) -> None:
    """Small whole numbers make many ties, which go to the picture that came first, in blocks of any size."""
    random = np.random.default_rng(0)
    values = random.integers(0, 12, (200, 30)).astype(np.float32)
    values[random.random(values.shape) < 0.1] = NAN
    values[:, 3] = NAN
    values[random.random(200) < 0.05, 4] = INF
    values[:, 5] = -INF
    ranking, pictures = Ranking(9), [looked(number, *line) for number, line in enumerate(values)]
    for begun, end in pairwise([*range(0, 200, block), 200]):
        ranking.add(pictures[begun:end])
    expected = [
        sorted((n for n in range(200) if not np.isnan(channel[n])), key=lambda n, c=channel: (-c[n], n))[:9]
        for channel in values.T
    ]
    assert kept(ranking) == expected
    found = ranking.kept["layer", 0]
    there = found["number"] >= 0
    assert np.array_equal(found["row"][there], found["number"][there])
    assert np.array_equal(found["form"][there], found["number"][there] % 3)
    assert np.isnan(found["value"][~there]).all()


def test_calls_that_come_later_and_grow_are_ranked_too() -> None:
    """A model may call a layer for some pictures only, and with more channels."""
    ranking = Ranking(2)
    more = (Channels("layer", 0, 1), Channels("layer", 1, 2))
    ranking.add([looked(0, 5.0), looked(1, 6.0, 1.0, 2.0, calls=more), looked(2, 7.0, 3.0)])
    assert kept(ranking) == [[2, 1], [2]]
    assert kept(ranking, ("layer", 1)) == [[1], [1]]


def test_names_are_kept_only_of_pictures_that_are() -> None:
    """So memory does not grow with the pictures."""
    ranking = Ranking(2)
    ranking.add([looked(number, float(number)) for number in range(50)])
    ranking.forget_names()
    assert ranking.names == {48: "48.png", 49: "49.png"}
    ranking.add([looked(number, float(-number)) for number in range(50, 30_000)])
    assert len(ranking.names) == 2


def test_every_call_gets_its_share() -> None:
    """Along the last axis, in order."""
    calls = (Channels("a", 0, 2), Channels("b", 0, 1), Channels("a", 1, 3))
    shares = [values.tolist() for _, values in parts(calls, np.arange(6))]
    assert shares == [[0, 1], [2], [3, 4, 5]]
