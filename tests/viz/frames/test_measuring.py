import numpy as np
import pytest
import torch

from viz.frames.measuring import Update, measured


@pytest.mark.parametrize(
    ("shape", "layer", "kept"),
    [
        ((2, 5, 3, 3), "Conv2d", (1, 2, 3, 3)),
        ((2, 7, 5), "Linear", (1, 7, 2)),
        ((2, 5, 7), "Conv1d", (1, 2, 7)),
        ((2, 5), "Linear", (1, 2)),
        ((5,), "Linear", (1, 2)),
        ((2, 5, 3, 3, 3), "Conv3d", (1, 2, 3, 3, 3)),
    ],
)
def test_channels_are_kept_from_the_axis_where_they_are(
    shape: tuple[int, ...], layer: str, kept: tuple[int, ...]
) -> None:
    """Of convolutions the second, of tokens the last; a number of channels beyond the last is left out."""
    found = measured(torch.randn(shape), layer, 1, 2)
    assert found.values.shape == kept
    assert measured(torch.randn(shape), layer, 1, (4, 9)).channels.tolist() == [4]


def test_statistics_of_half_precision_are_not_those_of_rounded_sums() -> None:
    """A million equal numbers, whose sum float16 cannot hold; -0.5 is above zero nowhere."""
    output = torch.full((1, 2, 1000, 500), 0.5, dtype=torch.float16)
    output[:, 1] = -0.5
    assert measured(output, "Conv2d", 1, 1).statistics == (0, 0.5, 0.5)


def test_no_weights_and_no_gradients_have_no_number() -> None:
    """NaN, and infinite nowhere: also for weights that are zero."""
    weight = torch.zeros(3, requires_grad=True)
    update = Update({"zero": [weight]})
    assert np.isnan(update.statistics("zero")).all()
    assert np.isnan(update.statistics("relu")).all()
