"""One number of an interpolation: its window and weights against torch, and against perturbed inputs."""

import pytest
import torch
from torch import nn

from tests.viz.number.arithmetic.every_cell import Cell, check_against_double
from viz.findings.explanation import Explanation
from viz.number.arithmetic import explain

PICTURE, SIGNAL, VOLUME = (2, 2, 5, 4), (2, 2, 7), (1, 2, 3, 4, 3)
SMOOTH = [("linear", SIGNAL), ("bilinear", PICTURE), ("trilinear", VOLUME), ("bicubic", PICTURE)]
SIZES = [{"scale_factor": 2}, {"scale_factor": 0.6}, {"scale_factor": 1.3, "recompute_scale_factor": True}]


def _random(shape: tuple[int, ...]) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(4)) * 3


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize(("mode", "shape"), SMOOTH, ids=str)
def test_every_number_is_the_layers_own_and_moves_with_its_window(
    mode: str, shape: tuple[int, ...], size: dict[str, float], *, corners: bool
) -> None:
    """Each weight is what the number gains if the input gains one there, and nothing outside counts."""
    layer, inputs = nn.Upsample(mode=mode, align_corners=corners, **size), _random(shape)
    found = check_against_double(layer, [inputs])["output"]
    cell = max(found)
    _check_weights(layer, inputs, cell, found[cell])


def _check_weights(layer: nn.Module, inputs: torch.Tensor, cell: Cell, found: Explanation) -> None:
    given = inputs.double().requires_grad_()
    (gradient,) = torch.autograd.grad(layer.double()(given)[cell], given)
    assert found.patch is not None
    own = gradient[cell[:2]]
    for axis, places in enumerate(found.patch.axes):
        own = own.index_select(axis, torch.tensor(places))
    assert found.patch.weights == pytest.approx(own.flatten().tolist(), abs=1e-9)
    assert float(own.abs().sum()) == pytest.approx(float(gradient.abs().sum()))
    assert found.channels == ((cell[1], found.total),)


@pytest.mark.parametrize("size", [(3, 9), (1, 1), (5, 4)], ids=str)
@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "area"])
def test_a_size_that_was_asked_for_is_reached_in_every_mode(mode: str, size: tuple[int, int]) -> None:
    """Larger along one axis and smaller along the other, a single place, and the same size."""
    found = check_against_double(nn.Upsample(size, mode=mode), [_random(PICTURE)])["output"]
    assert {each.kind for each in found.values()} == {"resizing"}
    if mode != "area":
        check_against_double(nn.Upsample(size, mode=mode, align_corners=True), [_random(PICTURE)])


def test_the_old_names_of_upsampling_are_explained_too() -> None:
    """One is bilinear with its corners aligned, the other moves numbers."""
    assert {
        each.kind
        for each in check_against_double(nn.UpsamplingBilinear2d(7), [_random(PICTURE)])["output"].values()
    } == {"resizing"}
    assert {
        each.kind
        for each in check_against_double(nn.UpsamplingNearest2d(7), [_random(PICTURE)])["output"].values()
    } == {"move"}


def test_places_far_from_the_first_may_be_off_by_a_rounding_of_their_own() -> None:
    """Of a thousand places, where neighbours differ much."""
    inputs = _random((1, 1, 1000)) * 100
    layer = nn.Upsample(1733, mode="linear")
    output = layer(inputs)
    assert all(explain(layer, [inputs], output, (0, 0, at)).agrees for at in range(1733))
    wrong = output + 1
    assert not any(explain(layer, [inputs], wrong, (0, 0, at)).agrees for at in range(0, 1733, 50))
