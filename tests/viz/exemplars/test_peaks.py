"""The strongest cells of one run, beside NumPy on what plain hooks see."""

import numpy as np
import pytest
import torch
from torch import nn

from tests.viz.exemplars.folders import Small
from viz.exemplars.chosen import ChosenLayer, chosen_layers
from viz.exemplars.looked import Channels
from viz.exemplars.peaks import watching
from viz.hooks.activations import LayerActivations


def test_what_a_later_layer_writes_over_counts_as_it_was() -> None:
    """The ReLU works in place on what the convolution returned: its negative numbers are in the mean."""
    net, images = Small(), torch.rand(1, 3, 8, 8)
    layers = LayerActivations(net, "cpu")
    with watching(layers, chosen_layers(layers, (images,), ["first", "relu"])) as tap:
        layers.run(images)
        found = tap.peaks
    assert found.calls == (Channels("first", 0, 5), Channels("relu", 0, 5), Channels("relu", 1, 4))
    with torch.no_grad():
        by_hand = net.first(images)[0].flatten(1).numpy()
    assert np.array_equal(found.maximum[:5], by_hand.max(1))
    assert np.array_equal(found.row[:5] * 6 + found.column[:5], by_hand.argmax(1))
    assert np.allclose(found.mean[:5], by_hand.mean(1), atol=1e-6)
    assert (found.mean[5:10] > found.mean[:5]).all()


def test_the_mean_of_many_numbers_is_exact() -> None:
    """As exact as single precision is: the oracle adds in double precision."""
    maps = torch.rand(1, 2, 400, 400) + 1
    layers = LayerActivations(nn.Sequential(nn.Identity()), "cpu")
    with watching(layers, (ChosenLayer("0", "Identity", "maps"),)) as tap:
        layers.run(maps)
        found = tap.peaks.mean
    np.testing.assert_allclose(found, maps.double().mean((0, 2, 3)), rtol=1.2e-7)


def test_each_run_counts_its_calls_from_zero() -> None:
    """And nothing of the run before is left."""
    net = Small()
    layers = LayerActivations(net, "cpu")
    one, other = torch.rand(1, 3, 8, 8), torch.rand(1, 3, 8, 8)
    with watching(layers, chosen_layers(layers, (one,), ["relu"])) as tap:
        layers.run(one)
        first = tap.peaks
        layers.run(other)
        second = tap.peaks
        layers.run(one)
        again = tap.peaks
    assert first.calls == second.calls
    assert not np.array_equal(first.maximum, second.maximum)
    assert all(np.array_equal(*pair) for pair in zip(first[1:], again[1:], strict=True))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.bool])
def test_numbers_of_any_type_become_float32(dtype: torch.dtype) -> None:
    """The place is that of the maximum; the first of several."""
    maps = torch.zeros(1, 2, 3, 4)
    maps[0, 0, 1, 2] = maps[0, 0, 2, 0] = 1
    layers = LayerActivations(nn.Sequential(nn.Identity()), "cpu")
    with watching(layers, (ChosenLayer("0", "Identity", "maps"),)) as tap:
        layers.run(maps.to(dtype))
        found = tap.peaks
    assert found.maximum.dtype == found.mean.dtype == np.float32
    assert (found.maximum.tolist(), found.row.tolist(), found.column.tolist()) == ([1, 0], [1, 0], [2, 0])
    assert found.mean[0] == pytest.approx(1 / 6, rel=1e-3)


def test_a_run_without_such_outputs_has_no_channels() -> None:
    """As when a model returns early for some pictures."""
    layers = LayerActivations(nn.Sequential(nn.Identity()), "cpu")
    with watching(layers, (ChosenLayer("0", "Identity", "maps"),)) as tap:
        layers.run(torch.rand(1, 7))
        assert tap.peaks.calls == ()
        assert tap.peaks.maximum.shape == (0,)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a graphics card")
def test_a_graphics_card_finds_the_same() -> None:
    """Up to rounding of the convolutions."""
    net, images = Small(), torch.rand(1, 3, 8, 8)
    found = []
    for device in ("cpu", "cuda"):
        layers = LayerActivations(net, device)
        with watching(layers, chosen_layers(layers, (images,), [])) as tap:
            layers.run(images)
            found.append(tap.peaks)
    assert np.allclose(found[0].maximum, found[1].maximum, atol=1e-3)
