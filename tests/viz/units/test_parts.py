import pytest
import torch
from torch import nn

from viz.units.parts import add_up, parts_of
from viz.units.weights import kernels_of

CASES = (
    (nn.Conv2d(6, 8, 3, padding=1, stride=2, groups=2), (1, 6, 9, 9)),
    (nn.Conv2d(6, 6, 3, padding=1, groups=6, padding_mode="circular"), (1, 6, 9, 9)),
    (nn.Conv2d(6, 4, 3, padding="same", dilation=2, bias=False), (2, 6, 9, 9)),
    (nn.Conv1d(6, 4, 3), (1, 6, 9)),
    (nn.ConvTranspose2d(6, 4, 3, stride=2, groups=2, output_padding=1), (1, 6, 5, 5)),
    (nn.Linear(6, 4), (1, 6)),
    (nn.Linear(6, 4), (1, 7, 6)),
)


@pytest.mark.parametrize(("layer", "shape"), CASES, ids=str)
def test_a_part_is_what_the_output_loses_without_that_channel(
    layer: nn.Module, shape: tuple[int, ...]
) -> None:
    """Compared with the layer itself, given the input with that channel set to zero."""
    inputs, axis = torch.rand(shape), -1 if isinstance(layer, nn.Linear) else 1
    for channel in (0, 3):
        kernels = kernels_of(layer, channel)
        assert kernels is not None
        parts = parts_of(layer, kernels, inputs)
        with torch.no_grad():
            output = layer(inputs).select(axis, channel).flatten()
            assert add_up(parts, kernels.bias, output)
            assert not add_up(parts, kernels.bias, output + output.abs().max())
            for place in range(len(parts)):
                without = inputs.clone()
                without.select(axis, kernels.first + place).zero_()
                lost = output - layer(without).select(axis, channel).flatten()
                assert parts[place].tolist() == pytest.approx(lost.tolist(), abs=1e-5)


def test_what_hooks_would_add_is_no_part() -> None:
    """The layer's own code alone is run: a hook that doubles its output is not seen."""
    layer = nn.Conv2d(2, 2, 1, bias=False)
    with layer.register_forward_hook(lambda _, __, output: 2 * output):
        kernels = kernels_of(layer, 1)
        assert kernels is not None
        parts = parts_of(layer, kernels, torch.ones(1, 2, 1, 1))
    assert parts.flatten().tolist() == pytest.approx(layer.weight[1].flatten().tolist())
