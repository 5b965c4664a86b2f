"""Poolings by powers, against torch in double precision."""

import math

import pytest
import torch
from torch import nn

from tests.viz.number.arithmetic.every_cell import check_against_double, every_cell
from viz.number.arithmetic import explain

PICTURE, SIGNAL, VOLUME = (1, 2, 5, 4), (2, 2, 7), (1, 2, 3, 4, 3)


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (nn.LPPool1d(2, 3), SIGNAL),
        (nn.LPPool1d(2, 3, ceil_mode=True), SIGNAL),
        (nn.LPPool2d(2, (2, 3), stride=1), PICTURE),
        (nn.LPPool2d(4, 2, ceil_mode=True), PICTURE),
        (nn.LPPool3d(2, 2), VOLUME),
        (nn.LPPool2d(1, 2), PICTURE),
        (nn.LPPool2d(math.inf, 2), PICTURE),
        (nn.LPPool2d(-math.inf, 2), PICTURE),
    ],
    ids=str,
)
def test_the_root_of_a_sum_of_powers_is_the_layers_own(layer: nn.Module, shape: tuple[int, ...]) -> None:
    """With windows that reach over the end, and with powers without end, which leave the largest size."""
    found = check_against_double(layer, [torch.randn(shape)])["output"]
    for cell, each in found.items():
        assert each.patch is not None
        assert each.patch.channel == cell[1]


@pytest.mark.parametrize("power", [3, 2.5])
def test_powers_of_negative_numbers_that_are_none_stay_so(power: float) -> None:
    """Torch takes the root of a negative sum as well, which is no number."""
    layer, inputs = nn.LPPool1d(power, 2), torch.tensor([[[-2.0, 1.0, 3.0, 1.0, 4.0, -1.0]]])
    check = layer(inputs)
    found = [explain(layer, [inputs], check, (0, 0, at)) for at in range(3)]
    assert [math.isnan(each.total) for each in found] == check.isnan().flatten().tolist()
    assert all(each.agrees for each in found)


@pytest.mark.parametrize(
    "layer", [nn.MaxPool2d(2, return_indices=True), nn.AdaptiveMaxPool2d(2, return_indices=True)], ids=str
)
def test_the_places_of_maxima_are_not_explained_as_maxima(layer: nn.Module) -> None:
    """The second tensor has whole numbers, which count places; the first is explained."""
    found = every_cell(layer, [torch.randn(PICTURE)])
    assert all(each.agrees for each in found["output[0]"].values())
    assert not any(each.explained for each in found["output[1]"].values())
