"""The curve of an activation: as far as the map's input reaches; none where one number is not enough."""

import torch
from torch import nn

from tests.viz.readings.adding import reading_of


def test_the_curve_reaches_as_far_as_the_input_of_the_map() -> None:
    """And some way beyond, with zero in it; another channel's numbers do not count."""
    maps = torch.zeros(1, 2, 4, 4)
    maps[0, 0, 0, 0], maps[0, 1] = 7.0, -90.0
    curve = reading_of(nn.ReLU(), maps, channel=0).curve
    assert curve is not None
    assert float(curve.x[0]) < -1 < 7 < float(curve.x[-1]) < 8
    assert list(curve.x) == sorted(map(float, curve.x))
    assert curve.y[0] == 0.0


def test_each_channel_of_a_learned_slope_has_its_own_curve() -> None:
    """PReLU: below zero the curve falls as steeply as the channel's weight says."""
    layer = nn.PReLU(3)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([0.1, 0.5, 2.0]))
    for channel, slope in enumerate((0.1, 0.5, 2.0)):
        curve = reading_of(layer, torch.randn(1, 3, 5, 5), channel=channel).curve
        assert curve is not None
        assert abs(float(curve.y[0]) / float(curve.x[0]) - slope) < 1e-6


def test_a_gate_has_no_curve() -> None:
    """It makes one number of two."""
    assert reading_of(nn.GLU(1), torch.randn(1, 4, 5, 5)).curve is None
