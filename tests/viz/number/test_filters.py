"""The weights that make a channel, against gradients and a computation with them alone."""

import pytest
import torch
from torch import nn

from viz.number.filters import filter_of

LAYERS = [
    nn.Conv2d(4, 6, 3),
    nn.Conv2d(4, 6, (3, 2), groups=2, bias=False),
    nn.ConvTranspose2d(4, 6, 3, groups=2),
    nn.Conv1d(4, 6, 5),
    nn.Conv3d(4, 6, 2),
]


@pytest.mark.parametrize("layer", LAYERS, ids=str)
@pytest.mark.parametrize("channel", [0, 5])
def test_a_channel_is_made_with_its_filter_and_no_other_weight(layer: nn.Module, channel: int) -> None:
    """The gradient of a channel of the output is zero everywhere but at its filter and its bias."""
    layer.zero_grad()
    count = len(layer.kernel_size)
    images = torch.rand(1, 4, *[7] * count)
    found = filter_of(layer, (0, channel, *[1] * count))
    layer(images)[0, channel].sum().backward()
    used = layer.weight.detach()[layer.weight.grad != 0].sort().values.double()
    assert found is not None
    assert torch.equal(torch.from_numpy(found.kernels).flatten().sort().values, used)
    assert found.bias == (None if layer.bias is None else float(layer.bias.detach()[channel]))
    assert found.first == (2 if channel == 5 and layer.groups == 2 else 0)
    assert found.kernels.shape[2] == layer.kernel_size[-1]
    sides = (found.depth, found.kernels.shape[1] // found.depth, found.kernels.shape[2])
    assert sides == (*[1] * (3 - count), *layer.kernel_size)


def test_of_a_linear_layer_every_input_is_a_kernel_of_one() -> None:
    """The filter is a row of its weights."""
    layer = nn.Linear(7, 3)
    found = filter_of(layer, (0, 12, 2))
    assert found is not None
    assert found.kernels.shape == (7, 1, 1)
    assert torch.equal(torch.from_numpy(found.kernels).flatten(), layer.weight[2].double())
    assert found.bias == float(layer.bias.detach()[2])


def test_layers_without_weights_for_a_channel_have_no_filter() -> None:
    """Activations, poolings, normalisations."""
    for layer in (nn.ReLU(), nn.MaxPool2d(2), nn.BatchNorm2d(4)):
        assert filter_of(layer, (0, 1, 1, 1)) is None
