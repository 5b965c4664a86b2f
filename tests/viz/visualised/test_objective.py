"""Objectives of optimised pictures: channels where the page draws them, scores by hand, and refusals."""

import numpy as np
import pytest
import torch

from viz.errors import LayoutError, RequestError
from viz.maps.layout import arrange
from viz.request.optimised import Wish
from viz.visualised.objective import ChannelPlaces, first_value, likeness, placed, score

SIZE = (16, 16)
SHAPES = {"Conv2d": (1, 4, 5, 6), "Linear": (1, 7), "LayerNorm": (1, 17, 6), "Permute": (1, 4, 4, 9)}


def where(shape: tuple[int, ...], wish: Wish, layer_type: str = "Conv2d") -> ChannelPlaces:
    """Return the places of the channels of a value of this shape."""
    return placed(torch.zeros(shape), wish, layer_type=layer_type, size=SIZE, arrangement=None)


@pytest.mark.parametrize("layer_type", SHAPES)
def test_channels_stand_where_the_page_draws_them(layer_type: str) -> None:
    """Of maps, vectors and tokens: what is taken of a value is what its layout is made of."""
    value = torch.randn(SHAPES[layer_type], generator=torch.Generator().manual_seed(0))
    found = where(SHAPES[layer_type], Wish("x"), layer_type).maps(value)[0].numpy()
    drawn = arrange(value.numpy(), layer_type=layer_type, image_size=SIZE).maps
    np.testing.assert_array_equal(found, drawn)


def test_scores_are_those_by_hand() -> None:
    """A channel, a cell and a direction, of two pictures at once."""
    value = torch.randn(2, 4, 5, 6, generator=torch.Generator().manual_seed(1))
    numbers = value.numpy()
    channel = numbers[:, 2]
    expected = np.where(channel > 0, channel, channel / 10).mean((1, 2))
    at = where((1, 4, 5, 6), Wish("x", channel=2))
    np.testing.assert_allclose(score(Wish("x", channel=2), at)(value), expected, rtol=1e-5)
    np.testing.assert_allclose(score(Wish("x", channel=2, cell=(3, 4)), at)(value), channel[:, 3, 4])
    weights = (1.0, -2.0, 0.0, 0.5)
    expected = np.einsum("nchw,c->n", numbers, weights) / 30
    wish = Wish("x", direction=tuple(enumerate(weights)))
    np.testing.assert_allclose(score(wish, at)(value), expected, rtol=1e-4)


def test_likeness_is_one_of_the_same_and_less_of_others() -> None:
    """By the cosines of NumPy."""
    maps = torch.randn(2, 3, 4, 4, generator=torch.Generator().manual_seed(2))
    flat = maps.flatten(2).numpy()
    grams = [(each @ each.T).ravel() for each in flat]
    cosine = grams[0] @ grams[1] / np.linalg.norm(grams[0]) / np.linalg.norm(grams[1])
    assert float(likeness(maps)) == pytest.approx(float(cosine), rel=1e-4)
    assert float(likeness(maps[:1].repeat(3, 1, 1, 1))) == pytest.approx(1, rel=1e-4)


def test_what_cannot_be_raised_is_refused() -> None:
    """No tensor, whole numbers, two rows, another shape than before, and channels that are not there."""
    for output in ((), torch.zeros(1, 2, dtype=torch.long), torch.zeros(3)):
        with pytest.raises(LayoutError):
            first_value(output)
    assert first_value({"a": (torch.ones(1, 2),)}).shape == (1, 2)
    with pytest.raises(LayoutError):
        where((2, 4, 5, 6), Wish("x"))
    with pytest.raises(LayoutError):
        where((1, 4, 5, 6), Wish("x")).maps(torch.zeros(1, 4, 6, 6))
    for wish in (Wish("x", channel=4), Wish("x", cell=(5, 0)), Wish("x", direction=((0, 1.0), (4, 2.0)))):
        with pytest.raises(RequestError):
            where((1, 4, 5, 6), wish)
