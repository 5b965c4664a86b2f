"""viz/pictures/samples.py: every sample picture is there without a network, and shows what its title says."""

import numpy as np
import pytest
import skimage.data

from viz.errors import RequestError
from viz.pictures.images import digest
from viz.pictures.samples import sample, sample_bytes, sample_names, sample_title


@pytest.mark.parametrize("name", sample_names())
def test_every_sample_is_an_rgb_picture_with_a_title(name: str) -> None:
    """At least 224 pixels on each side, as most networks want."""
    picture = sample(name)
    assert picture.mode == "RGB"
    assert min(picture.size) >= 224
    assert sample_title(name)


@pytest.mark.parametrize("name", ["cat", "astronaut", "coffee", "rocket"])
def test_photographs_are_those_of_scikit_image(name: str) -> None:
    """Pixel for pixel."""
    assert np.array_equal(np.asarray(sample(name)), getattr(skimage.data, name)())


def test_patterns_are_always_the_same_bytes() -> None:
    """So a link to a view will show the same maps tomorrow."""
    first = {name: digest(sample_bytes(name)) for name in sample_names()}
    sample_bytes.cache_clear()
    assert first == {name: digest(sample_bytes(name)) for name in sample_names()}
    assert len(set(first.values())) == len(first)


def test_gratings_are_constant_along_their_bars() -> None:
    """The first column's bars are upright, the third column's lie flat."""
    pixels = np.asarray(sample("gratings"))[..., 0].astype(int)
    assert np.ptp(pixels[:56, :56], axis=0).max() == 0
    assert np.ptp(pixels[:56, 112:168], axis=1).max() == 0
    assert np.ptp(pixels[:56, :56], axis=1).min() > 200


def test_the_zone_plate_is_the_same_from_all_sides() -> None:
    """Mirrored and transposed."""
    pixels = np.asarray(sample("zone_plate"))[..., 0]
    assert np.array_equal(pixels, pixels.T)
    assert np.array_equal(pixels, pixels[::-1, ::-1])


def test_checkerboard_step_and_dot_are_as_drawn() -> None:
    """A half-bright board, a step from dark to bright, and a dot of sixteen bright pixels."""
    board, step, dot = (np.asarray(sample(name))[..., 0] for name in ("checkerboard", "step_edge", "dot"))
    assert board.mean() == 127.5
    assert (np.diff(step.astype(int), axis=1) >= 0).all()
    assert (dot > 0).sum() == 16


def test_an_unknown_sample_is_answered_with_near_names() -> None:
    """Each of the functions does that."""
    for ask in (sample, sample_bytes, sample_title):
        with pytest.raises(RequestError, match="'catt'; there are: cat"):
            ask("catt")
