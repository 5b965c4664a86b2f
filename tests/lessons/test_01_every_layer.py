"""Lesson 1: LeNet's conv2, every layer by index as heatmaps, and hooks that stay."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from torch import nn

from models.nets.bundled import LeNet
from tests.lessons.scripts import printed_by
from viz.lessons import every_layer as taught

PICTURE_SHAPES = [*[(1, 8, 30, 30)] * 3, (1, 8, 15, 15), *[(1, 16, 13, 13)] * 3, (1, 16, 6, 6)]
SIGNAL_SHAPES = [*[(1, 4, 60)] * 2, *[(1, 8, 56)] * 2, *[(1, 16, 52)] * 2, *[(1, 16, 26)] * 2]


@pytest.fixture
def lenet() -> nn.Module:
    """The document's LeNet."""
    torch.manual_seed(0)
    return taught.LeNet().eval()


@pytest.fixture
def pictures() -> torch.Tensor:
    """Two pictures for it."""
    torch.manual_seed(1)
    return torch.randn(2, 3, 32, 32)


@pytest.fixture(params=["PictureNet", "SignalNet"])
def net(request: pytest.FixtureRequest) -> nn.Module:
    """The nets with ``features``, in two and in one dimension."""
    torch.manual_seed(0)
    return getattr(taught, request.param)().eval()


def example(net: nn.Module) -> torch.Tensor:
    """One input for a net with ``features``."""
    torch.manual_seed(2)
    return torch.randn(1, 1, 64) if isinstance(net, taught.SignalNet) else torch.randn(1, 3, 32, 32)


@pytest.mark.slow
def test_the_script_runs_and_saves_a_heatmap_for_every_layer(tmp_path: Path) -> None:
    """Eight layers and one canvas for each of two nets."""
    folder = tmp_path / "figures"
    folder.mkdir()
    text = printed_by("01_every_layer", tmp_path, str(folder))
    assert "conv2 of LeNet: (2, 16, 10, 10); by capture the same: True." in text
    assert text.count("hooks and capture agree: True") == 2
    figures = [Image.open(BytesIO(path.read_bytes())) for path in folder.glob("*.png")]
    assert len(figures) == 18
    assert min(figure.width for figure in figures) > 100


def test_conv2_gives_16_maps_of_10_by_10(lenet: nn.Module, pictures: torch.Tensor) -> None:
    """By hook, by capture, and by the arithmetic written out."""
    maps = torch.max_pool2d(lenet.conv1(pictures).relu(), 2)
    by_hand = lenet.conv2(maps)
    assert by_hand.shape == (2, 16, 10, 10)
    assert torch.equal(taught.conv2_by_hook(lenet, pictures), by_hand)
    assert torch.allclose(taught.conv2_by_capture(lenet, pictures), by_hand)


def test_the_bundled_lenet_computes_the_same(lenet: nn.Module, pictures: torch.Tensor) -> None:
    """With a name for every ReLU and pooling, and the same weights."""
    twin = taught.with_named_layers(lenet, LeNet())
    assert torch.equal(twin(pictures), lenet(pictures))
    assert torch.equal(taught.conv2_by_capture(twin, pictures), taught.conv2_by_capture(lenet, pictures))
    assert "relu2" in dict(twin.named_modules())
    assert "relu2" not in dict(lenet.named_modules())


def test_a_hook_that_stays_makes_its_list_grow(lenet: nn.Module, pictures: torch.Tensor) -> None:
    """Each run adds one tensor; a hook that is removed adds only one."""
    assert taught.growth(lenet, pictures, runs=3, remove=False) == [1, 2, 3]
    assert taught.growth(lenet, pictures, runs=3, remove=True) == [1, 1, 1]
    assert taught.hooks_on(lenet) == 0


def test_remove_without_parentheses_removes_nothing() -> None:
    """The trap: eight layers, eight hooks left."""
    net = taught.PictureNet()
    assert taught.hooks_left(net, parentheses=False) == 8
    assert taught.hooks_left(net, parentheses=True) == 0
    assert taught.hooks_on(net) == 0


def test_a_capture_takes_its_hooks_away_when_the_model_fails() -> None:
    """Two on each of the ten layers inside the block, none after it."""
    assert taught.hooks_left_by_capture(taught.PictureNet()) == (10, 0)


def test_one_hook_for_each_pass_and_one_pass_for_all_see_the_same(net: nn.Module) -> None:
    """They differ only after in-place layers, where a clone in the hook keeps the value."""
    x = example(net)
    hooked, captured = taught.features_by_hook(net, x), taught.features_by_capture(net, x)
    expected = SIGNAL_SHAPES if isinstance(net, taught.SignalNet) else PICTURE_SHAPES
    assert [tuple(output.shape) for output in captured] == expected
    assert all(torch.equal(one, other) for one, other in zip(hooked, captured, strict=True))
    assert captured[1 if net.features[1].__class__ is nn.BatchNorm2d else 0].min() < 0


def test_every_layer_is_a_hot_heatmap_with_a_colour_bar(net: nn.Module) -> None:
    """One image per map, with the layer's values, and the bar's axes beside them."""
    outputs = taught.features_by_capture(net, example(net))
    for output, figure in zip(outputs, taught.heatmaps(outputs), strict=True):
        images = [image for axes in figure.axes for image in axes.images]
        assert {image.cmap.name for image in images} == {"hot"}
        shown = np.stack([np.asarray(image.get_array()) for image in images])
        assert np.array_equal(shown, output[0].numpy().reshape(shown.shape))
        assert len(figure.axes) == len(images) + 1


def test_all_layers_are_on_one_canvas(net: nn.Module) -> None:
    """Each with its own colour bar, although their sizes differ."""
    outputs = taught.features_by_capture(net, example(net))
    figure = taught.canvas(outputs)
    images = [image for axes in figure.axes for image in axes.images]
    assert [np.asarray(image.get_array()).shape for image in images] == [
        taught.maps(output)[0].shape for output in outputs
    ]
    assert {image.cmap.name for image in images} == {"hot"}
    assert len(figure.axes) == 16
