"""The bundled nets: their shape, and what a visitor can see of them."""

import pytest
import torch
from torch import nn

import models
from models.nets.bundled import Add, LeNet, PhotoNet


def shapes(net: nn.Module, size: int) -> dict[str, tuple[int, ...]]:
    """Return the shape that each named layer puts out for one picture, as its own hook sees it."""
    seen: dict[str, tuple[int, ...]] = {}
    handles = [
        module.register_forward_hook(
            lambda _m, _i, output, name=name: seen.update({name: tuple(output.shape)})
        )
        for name, module in net.named_modules()
        if name
    ]
    net.eval()(torch.zeros(1, 3, size, size))
    for handle in handles:
        handle.remove()
    return seen


def test_lenet_has_the_layers_of_the_sources_with_their_shapes() -> None:
    """3x32x32, 6 maps, 16 maps, 120, 84, 10; activations and poolings are layers too."""
    assert shapes(LeNet(), 32) == {
        "conv1": (1, 6, 28, 28),
        "relu1": (1, 6, 28, 28),
        "pool1": (1, 6, 14, 14),
        "conv2": (1, 16, 10, 10),
        "relu2": (1, 16, 10, 10),
        "pool2": (1, 16, 5, 5),
        "flatten": (1, 400),
        "fc1": (1, 120),
        "relu3": (1, 120),
        "fc2": (1, 84),
        "relu4": (1, 84),
        "fc3": (1, 10),
    }


@pytest.mark.parametrize("size", [32, 33, 47, 64, 100, 224, 256])
def test_photonet_takes_pictures_of_any_size(size: int) -> None:
    """Ten scores, and first maps as large as the picture."""
    seen = shapes(PhotoNet(), size)
    assert seen["fc"] == (1, 10)
    assert seen["stem.conv"] == (1, 32, size, size)
    assert seen["stage3.1.relu2"] == (1, 160, size // 8, size // 8)


def test_photonet_takes_pictures_that_are_not_square() -> None:
    """Even a narrow strip."""
    assert PhotoNet().eval()(torch.zeros(2, 3, 32, 200)).shape == (2, 10)


def test_photonet_is_small() -> None:
    """At most a million parameters, and the card knows how many."""
    count = sum(value.numel() for value in PhotoNet().parameters())
    assert count == models.describe("photonet").parameters
    assert count <= 1_000_000


def test_every_layer_of_photonet_runs_exactly_once() -> None:
    """No layer is reused or uncalled: each name on the page has one picture."""
    net, calls = PhotoNet().eval(), []
    handles = [
        module.register_forward_hook(lambda *_, name=name: calls.append(name))
        for name, module in net.named_modules()
        if name
    ]
    net(torch.zeros(1, 3, 32, 32))
    for handle in handles:
        handle.remove()
    assert sorted(calls) == sorted(name for name, _ in net.named_modules() if name)


def test_a_residual_block_adds_its_input() -> None:
    """With the second normalisation set to zero, the block is a ReLU of its input."""
    block = PhotoNet().eval().stage1[1]
    nn.init.zeros_(block.bn2.weight)
    maps = torch.randn(1, 64, 5, 5)
    assert torch.equal(block(maps), maps.relu())


def test_the_addition_is_a_layer_of_its_own() -> None:
    """Each residual block has one, which adds its two inputs."""
    assert sum(isinstance(module, Add) for module in PhotoNet().modules()) == 3
    assert torch.equal(Add()(torch.tensor([1.0]), torch.tensor([2.0])), torch.tensor([3.0]))


def test_no_layer_writes_over_what_another_has_put_out() -> None:
    """In-place activations would make the picture of the layer before them wrong."""
    for net in (LeNet(), PhotoNet()):
        assert not any(getattr(module, "inplace", False) for module in net.modules())
