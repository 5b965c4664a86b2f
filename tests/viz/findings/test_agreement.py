"""Agreement of an optimised picture with a folder's: by pairs counted one by one, and at its ends."""

import numpy as np
import pytest

from viz.findings.agreement import agreement, chance_likeness


def folder(pictures: int = 40, channels: int = 12) -> np.ndarray:
    """Maxima of which the first four channels rise together."""
    random = np.random.default_rng(0)
    maxima = random.normal(size=(pictures, channels)).astype(np.float32)
    maxima[:, :4] += 3 * random.normal(size=(pictures, 1)).astype(np.float32)
    return maxima


def test_likeness_is_the_share_of_pairs() -> None:
    """Each exemplar against each other picture, by cosines of standardised maxima without the channel."""
    maxima = folder()
    peaks = maxima[7] + 0.5
    z = (np.delete(maxima, 2, 1) - np.delete(maxima, 2, 1).mean(0)) / np.delete(maxima, 2, 1).std(0)
    mine = (np.delete(peaks, 2) - np.delete(maxima, 2, 1).mean(0)) / np.delete(maxima, 2, 1).std(0)
    cosines = [each @ mine / np.linalg.norm(each) / np.linalg.norm(mine) for each in z]
    order = np.argsort(-maxima[:, 2])
    pairs = [cosines[one] > cosines[other] for one in order[:9] for other in order[9:]]
    found = agreement(peaks, maxima, 2)
    assert found.likeness == pytest.approx(np.mean(pairs))
    assert (found.pictures, found.beaten) == (40, int((maxima[:, 2] < peaks[2]).sum()))


def test_it_tells_a_picture_like_the_exemplars_from_its_opposite() -> None:
    """A picture that excites the channel excites three others; one that lowers them is like no exemplar."""
    maxima = folder()
    like = np.where(np.arange(12) < 4, 9.0, 0.0).astype(np.float32)
    unlike = np.where(np.arange(12) == 2, 9.0, -like).astype(np.float32)
    agree, disagree = agreement(like, maxima, 2), agreement(unlike, maxima, 2)
    assert agree.beaten == disagree.beaten == 40
    assert (agree.likeness or 0) > 0.95
    assert disagree.likeness is not None
    assert disagree.likeness < 0.05


def test_too_few_pictures_or_channels_tell_nothing() -> None:
    """Nor does a folder in which nothing varies; NaN is left out."""
    peaks = np.ones(12, np.float32)
    assert agreement(peaks, folder(11), 0).likeness is None
    assert agreement(peaks[:3], folder()[:, :3], 0).likeness is None
    assert agreement(peaks, np.ones((40, 12), np.float32), 0).likeness is None
    broken = folder()
    broken[:3, 5] = np.nan
    assert agreement(peaks, broken, 0).pictures == 37


@pytest.mark.parametrize("pictures", [12, 20, 60, 240])
def test_chance_passes_its_likeness_once_in_twenty(pictures: int) -> None:
    """Of 2,000 folders of noise, whose exemplars are like nothing."""
    random, found = np.random.default_rng(0), []
    for _ in range(2000):
        maxima, peaks = random.normal(size=(pictures, 16)), random.normal(size=16)
        found.append(agreement(peaks.astype(np.float32), maxima.astype(np.float32), 0))
    assert {each.chance for each in found} == {chance_likeness(pictures)}
    share = np.mean([each.likeness > each.chance for each in found if each.likeness and each.chance])
    assert share == pytest.approx(0.05, abs=0.015)
