"""viz/maps/reduction/caption.py: every number of a caption is that of the picture."""

import numpy as np
from PIL import Image

from viz.maps.reduction.caption import caption
from viz.maps.reduction.definitions import DEFINITIONS
from viz.maps.reduction.over_photo import Backdrop
from viz.maps.reduction.reduce import REDUCTIONS, reduce_maps

MAPS = np.random.default_rng(8).standard_normal((6, 4, 7)).astype(np.float32)


def test_captions_begin_with_the_formula_and_name_the_source() -> None:
    """Of each reduction."""
    for how in REDUCTIONS:
        said = caption(reduce_maps(MAPS, how), 6)
        assert said[0] == DEFINITIONS[how].sentence
        assert (said[-1] == f"source: {DEFINITIONS[how].source}") == bool(DEFINITIONS[how].source)


def test_captions_say_which_channels_were_used() -> None:
    """All, some, or the strongest in their order."""
    assert "all 6 channels" in caption(reduce_maps(MAPS, "mean"), 6)
    assert "its only channel" in caption(reduce_maps(MAPS[:1], "mean"), 1)
    assert "channels 2, 5 of 6" in caption(reduce_maps(MAPS, "mean", channels=[5, 2]), 6)
    strengths = np.abs(MAPS.astype(np.float64)).mean(axis=(1, 2))
    first, second = np.argsort(-strengths)[:2]
    found = reduce_maps(MAPS, "top", top=2)
    assert f"channels {first}, {second}, strongest first, of 6" in caption(found, 6)


def test_captions_have_the_range_of_the_finite_values() -> None:
    """With four digits and a minus sign, and the number of the places that are not finite."""
    maps = np.array([[[-1.23456, 2.0], [np.nan, 0.5]]])
    said = caption(reduce_maps(maps, "max"), 1)
    assert "2 × 2 values from −1.235 to 2" in said
    assert "1 place is not finite: magenta" in said
    assert not [each for each in caption(reduce_maps(MAPS, "max"), 6) if "finite" in each]


def test_captions_of_components_have_their_shares_and_ranges() -> None:
    """Of three channels with variances 16, 4 and 1, uncorrelated; a place that is NaN counts once."""
    square = np.array([[1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]], float)
    maps = (square * np.array([[4.0], [2.0], [1.0]])).reshape(3, 2, 2)
    said = caption(reduce_maps(maps, "pca"), 3)
    assert "2 × 2 places; components explain 76.2 %, 19.0 %, 4.8 % of the variance" in said
    assert "red −4 … 4, green −2 … 2, blue −1 … 1" in said
    gone = np.concatenate([maps, np.full((3, 1, 2), np.nan)], axis=1)
    assert "2 places are not finite: magenta" in caption(reduce_maps(gone, "pca"), 3)


def test_captions_over_a_photo_say_how_it_is_laid_over() -> None:
    """Its size, how opaque, and what the frame is."""
    under = Backdrop(Image.new("RGB", (90, 60)), (0, 0, 60, 60), (0, 0, 60, 60))
    said = " ".join(caption(reduce_maps(MAPS, "mean"), 6, under))
    assert "over the whole photo of 90 × 60 pixels, 60 % opaque, not interpolated" in said
    assert "the frame is what the model saw" in said
