"""Normalisations near their mean, and those over neighbours, against torch in double precision."""

import math

import pytest
import torch
from torch import nn

from tests.viz.number.arithmetic.every_cell import Cell, check_against_double, shifted
from viz.number.arithmetic import explain

BIG = (1, 8, 40, 40)
LAYERS = [
    (nn.LayerNorm(768), (1, 50, 768)),
    (nn.LayerNorm(7), (2, 4, 9, 7)),
    (nn.GroupNorm(2, 8), BIG),
    (nn.GroupNorm(1, 8), BIG),
    (nn.InstanceNorm2d(8), BIG),
    (nn.BatchNorm2d(8, track_running_stats=False), BIG),
]


def _inputs(shape: tuple[int, ...], offset: float, spread: float, *, last: bool) -> torch.Tensor:
    values = torch.randn(shape, generator=torch.Generator().manual_seed(9)) * spread + offset
    return values.to(memory_format=torch.channels_last) if last and values.ndim == 4 else values


def _nearest_zero(output: torch.Tensor, count: int) -> list[Cell]:
    """Return the cells whose inputs are nearest the mean."""
    flat = output.abs().flatten().argsort()[:count]
    return [tuple(int(at) for at in torch.unravel_index(place, output.shape)) for place in flat]


@pytest.mark.parametrize("last", [False, True], ids=["channels first", "channels last"])
@pytest.mark.parametrize(("offset", "spread"), [(0, 1), (100, 1), (0, 1e4), (3, 0.01)])
@pytest.mark.parametrize(("layer", "shape"), LAYERS, ids=str)
def test_a_number_near_the_mean_is_no_false_alarm(
    layer: nn.Module, shape: tuple[int, ...], offset: float, spread: float, *, last: bool
) -> None:
    """The rest of x − mean is then of the size of the rounding of the mean itself."""
    inputs = _inputs(shape, offset, spread, last=last)
    with torch.no_grad():
        output = layer.eval()(inputs)
    for cell in _nearest_zero(output, 40):
        found = explain(layer, [inputs], output, cell)
        assert found.agrees, found


@pytest.mark.parametrize(("layer", "shape"), LAYERS, ids=str)
def test_a_part_in_a_thousand_is_still_found(layer: nn.Module, shape: tuple[int, ...]) -> None:
    """Of what a normalisation spreads to one, near the mean and far from it."""
    inputs = _inputs(shape, 1.0, 1.0, last=False)
    with torch.no_grad():
        output = layer.eval()(inputs)
    far = tuple(int(at) for at in torch.unravel_index(output.argmax(), output.shape))
    for cell in (*_nearest_zero(output, 3), far):
        assert not explain(layer, [inputs], shifted(output, cell, 1e-3), cell).agrees


@pytest.mark.parametrize(
    ("size", "shape"), [(3, (2, 5, 3, 2)), (4, (2, 5, 3)), (1, (1, 3, 2, 2, 2)), (9, (1, 5, 2, 2))], ids=str
)
def test_channels_next_to_its_own_divide_a_number(size: int, shape: tuple[int, ...]) -> None:
    """At the borders there are fewer of them."""
    layer = nn.LocalResponseNorm(size, alpha=0.7, beta=0.6, k=1.5)
    found = check_against_double(layer, [torch.randn(shape) * 3])["output"]
    cell = max(found)
    assert dict(found[cell].numbers)["size"] == size
    assert " ^ 0.6 = " in found[cell].text


def test_a_normalisation_of_one_value_and_nothing_else_has_no_number() -> None:
    """Zero divided by zero."""
    layer, inputs = nn.LayerNorm(3, eps=0.0), torch.full((1, 3), 2.0)
    found = explain(layer, [inputs], layer(inputs).detach(), (0, 0))
    assert math.isnan(found.total)
