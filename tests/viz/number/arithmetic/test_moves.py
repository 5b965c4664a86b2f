"""Layers that move numbers, and the padding that they add."""

import math

import pytest
import torch
from torch import nn

from tests.viz.number.arithmetic.every_cell import every_cell

PICTURE, SIGNAL, VOLUME = (2, 2, 4, 3), (2, 2, 5), (1, 1, 3, 3, 2)
PADDINGS = [
    (nn.ConstantPad1d((2, 1), 3.5), SIGNAL),
    (nn.ConstantPad2d((1, -1, -2, 2), -4.0), PICTURE),
    (nn.ConstantPad3d(1, 7.0), VOLUME),
    (nn.ConstantPad2d(1, math.inf), PICTURE),
    (nn.ConstantPad2d(1, math.nan), PICTURE),
    (nn.ZeroPad2d((-1, 1, 0, 2)), PICTURE),
    (nn.ZeroPad3d(1), VOLUME),
    (nn.CircularPad1d((2, 1)), SIGNAL),
    (nn.CircularPad2d((1, 2, 0, 1)), PICTURE),
    (nn.CircularPad3d(1), VOLUME),
    (nn.ReflectionPad1d(3), SIGNAL),
    (nn.ReflectionPad3d((1, 0, 2, 0, 0, 1)), VOLUME),
    (nn.ReplicationPad2d((-1, 3, 1, 1)), PICTURE),
    (nn.ReplicationPad3d((1, 0, 2, 1, 0, 1)), VOLUME),
]


@pytest.mark.parametrize(("layer", "shape"), PADDINGS, ids=str)
def test_every_cell_is_a_number_of_the_input_or_of_the_padding(
    layer: nn.Module, shape: tuple[int, ...]
) -> None:
    """The oracle is the gradient: a cell with one has a source, and any other holds the padding's value."""
    inputs = torch.randn(shape, requires_grad=True)
    output = layer(inputs)
    for cell, found in every_cell(layer, [inputs.detach()])["output"].items():
        (gradient,) = torch.autograd.grad(output[cell], inputs, retain_graph=True)
        assert found.agrees
        if found.source is None:
            assert not gradient.any()
            assert found.total == layer.value or (math.isnan(found.total) and math.isnan(layer.value))
        else:
            assert gradient[found.source] == gradient.sum() == 1


@pytest.mark.parametrize(
    "layer",
    [nn.Unfold(2, padding=1, stride=2), nn.Upsample(scale_factor=1.5, mode="nearest-exact"), nn.Sequential()],
    ids=str,
)
def test_windows_side_by_side_repeated_places_and_nothing_at_all_are_moves(layer: nn.Module) -> None:
    """Their numbers are the input's own."""
    inputs = torch.randn(PICTURE)
    for found in every_cell(layer, [inputs])["output"].values():
        assert found.kind == "move"
        assert found.total == (0.0 if found.source is None else float(inputs[found.source]))
