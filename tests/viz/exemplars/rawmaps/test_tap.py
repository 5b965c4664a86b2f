"""Maps as layers return them, beside plain hooks."""

import numpy as np
import pytest
import torch
from torch import nn

from tests.viz.exemplars.folders import Small
from viz.exemplars.chosen import ChosenLayer, chosen_layers
from viz.exemplars.rawmaps.tap import keeping_maps
from viz.hooks.activations import LayerActivations


def test_maps_are_copied_before_a_later_layer_writes_over_them() -> None:
    """The ReLU works in place on what the convolution returned; each call has maps of its own."""
    net, images = Small(), torch.rand(1, 3, 8, 8)
    layers = LayerActivations(net, "cpu")
    with keeping_maps(layers, chosen_layers(layers, (images,), ["first", "relu"]), half=False) as tap:
        assert tap is not None
        layers.run(images)
        found = tap.maps
        layers.run(images)
        assert len(tap.maps) == 3
    with torch.no_grad():
        first = net.first(images)
        expected = [first[0].clone(), first.relu()[0], net.second(first.relu()).relu()[0]]
    assert [(each.layer, each.call) for each in found] == [("first", 0), ("relu", 0), ("relu", 1)]
    for maps, by_hand in zip(found, expected, strict=True):
        assert np.array_equal(maps.values, by_hand.numpy())


def test_maps_of_half_the_room_are_rounded_and_too_large_ones_infinite() -> None:
    """As NumPy rounds them."""
    layers = LayerActivations(nn.Sequential(nn.Identity()), "cpu")
    images = torch.tensor([1 / 3, 1e6, -1e6, 1e-9]).reshape(1, 1, 2, 2)
    with keeping_maps(layers, (ChosenLayer("0", "Identity", "maps"),), half=True) as tap:
        assert tap is not None
        layers.run(images)
        (found,) = tap.maps
    assert found.values.dtype == np.float16
    assert found.values.ravel().tolist() == [float(np.float16(1 / 3)), np.inf, -np.inf, 0]


@pytest.mark.parametrize("kind", ["channels-last", "vector"])
def test_channels_come_first_however_they_lie(kind: str) -> None:
    """A vector has maps of one cell."""
    layers = LayerActivations(nn.Sequential(nn.Identity()), "cpu")
    images = torch.rand(1, 2, 3, 4) if kind == "channels-last" else torch.rand(1, 4)
    with keeping_maps(layers, (ChosenLayer("0", "Identity", kind),), half=False) as tap:
        assert tap is not None
        layers.run(images)
        (found,) = tap.maps
    expected = images[0].permute(2, 0, 1) if kind == "channels-last" else images[0][:, None, None]
    assert np.array_equal(found.values, expected.numpy())
    assert found.values.flags.c_contiguous


def test_without_layers_nothing_is_watched() -> None:
    """A run that keeps no maps has no hooks for them."""
    with keeping_maps(LayerActivations(nn.Sequential(nn.Identity()), "cpu"), (), half=False) as tap:
        assert tap is None
