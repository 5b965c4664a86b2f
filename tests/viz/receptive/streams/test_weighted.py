import pytest
import torch
from torch import nn

from viz.receptive.streams.weighted import input_axis, is_weighted


@pytest.mark.parametrize(
    ("layer", "mixes"),
    [
        (nn.Conv2d(3, 4, 3), True),
        (nn.Conv2d(4, 4, 1, groups=4), False),
        (nn.Conv2d(4, 4, 3, groups=4), True),
        (nn.Linear(3, 4), True),
        (nn.MultiheadAttention(4, 2), True),
        (nn.LSTM(3, 4), True),
        (nn.BatchNorm2d(4), False),
        (nn.LayerNorm(4), False),
        (nn.PReLU(4), False),
        (nn.ReLU(), False),
        (nn.Sequential(nn.Linear(3, 4)), False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, nn.Module) else str(value),
)
def test_layers_with_a_weight_along_two_axes_mix_channels(layer: nn.Module, mixes: bool) -> None:
    """A depthwise layer of single weights scales each channel, as a norm does."""
    assert is_weighted(layer) is mixes


def test_channels_are_where_the_layer_looks_for_them() -> None:
    """A layer of a wrong number of channels refuses its input; the axis says where that number stands."""
    for layer, shape in (
        (nn.Conv1d(5, 2, 1), (1, 5, 7)),
        (nn.Conv2d(5, 2, 1), (1, 5, 7, 9)),
        (nn.Linear(5, 2), (1, 9, 5)),
    ):
        assert torch.Size(shape)[input_axis(layer)] == 5
        layer(torch.rand(shape))
