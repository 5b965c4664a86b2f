"""Centres of cells on the picture, against the pixels whose gradient reaches them."""

import pytest
import torch
from torch import Tensor, nn

import models
from viz import LayerActivations
from viz.receptive.places.known import known_arrangements
from viz.request.arrangement import Lattice

NETS = {
    "without padding": [nn.Conv2d(3, 2, 5), nn.AvgPool2d(2), nn.Conv2d(2, 2, 5)],
    "padded on one side": [nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(3, 2, 3, 2), nn.Conv2d(2, 2, 1)],
    "padded on both sides": [nn.Conv2d(3, 2, 7, 2, 3), nn.AvgPool2d(2), nn.Conv2d(2, 2, 3, 2, 1)],
    "cropped": [nn.Conv2d(3, 2, 3), nn.ZeroPad2d((-4, -2, -1, 0)), nn.Conv2d(2, 2, 3)],
    "enlarged": [nn.Conv2d(3, 2, 2, 2), nn.ConvTranspose2d(2, 2, 2, 2), nn.Conv2d(2, 2, 3)],
    "thinned out": [nn.Conv2d(3, 2, 3, padding=1), nn.Upsample(scale_factor=0.25), nn.Conv2d(2, 2, 1)],
    "as tokens": [nn.Conv2d(3, 2, 4, 4), nn.Flatten(2), nn.Unflatten(2, (16, 16))],
}


def lattice(net: nn.Module, layer: str, images: Tensor) -> Lattice:
    """Return the known lattice of a layer's cells."""
    arrangement = known_arrangements(LayerActivations(net, "cpu"), images)[layer, 0]["output"]
    assert arrangement is not None
    assert arrangement.lattice is not None
    return arrangement.lattice


def middle(net: nn.Module, images: Tensor, cell: tuple[int, int]) -> tuple[float, float]:
    """The middle of the pixels that change one cell, found by its gradient in double precision."""
    picture = images.double().requires_grad_()
    net.double()(picture)[0, :, *cell].sum().backward()
    assert picture.grad is not None
    rows, columns = picture.grad[0].abs().sum(0).nonzero(as_tuple=True)
    return float(rows.min() + rows.max()) / 2, float(columns.min() + columns.max()) / 2


@pytest.mark.parametrize("name", NETS)
def test_cells_lie_in_the_middle_of_what_they_see(name: str) -> None:
    """Two cells, far from the border, which would cut off what they see, tell the start and the stride."""
    torch.manual_seed(0)
    net, images = nn.Sequential(*NETS[name]), torch.rand(1, 3, 64, 64)
    found = lattice(net, str(len(net) - 1), images)
    for cell in ((3, 3), (4, 5)):
        for place, start, stride, seen in zip(
            cell, found.start, found.stride, middle(net, images, cell), strict=True
        ):
            assert start + place * stride == pytest.approx(seen, abs=0.51 if name == "enlarged" else 1e-6)


def test_a_map_that_does_not_reach_the_border_covers_a_part_of_the_picture() -> None:
    """LeNet's second convolution: its first cell sees rows 0 to 13, and each row is two pixels further."""
    found = lattice(models.load("lenet"), "conv2", torch.rand(1, 3, 32, 32))
    assert found == Lattice((6.5, 6.5), (2, 2))
    assert found.covered((10, 10), (32, 32)) == (6 / 32, 6 / 32, 20 / 32, 20 / 32)


def test_one_row_has_the_whole_height_of_the_picture() -> None:
    """A single place along a side has no stride."""
    net = nn.Sequential(nn.Conv2d(3, 2, (16, 4), (16, 4)))
    found = lattice(net, "0", torch.rand(1, 3, 16, 16))
    assert found.covered((1, 4), (16, 16)) == (0, 0, 1, 1)
