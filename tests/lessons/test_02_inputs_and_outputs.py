"""Lesson 2: layer1.1.conv2 of ResNet-50, its gradients, and what a hook can change."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import nn
from torchvision.models import resnet50

from tests.lessons.scripts import printed_by
from viz.lessons import inputs_and_outputs as taught

MAPS = (2, 64, 56, 56)


@pytest.fixture(scope="module")
def net() -> nn.Module:
    """ResNet-50 with random weights."""
    torch.manual_seed(0)
    return resnet50(weights=None).eval()


@pytest.fixture
def small() -> torch.Tensor:
    """Two small pictures: what is compared here does not depend on the size."""
    torch.manual_seed(1)
    return torch.randn(2, 3, 32, 32)


@pytest.fixture
def plain(net: nn.Module, small: torch.Tensor) -> torch.Tensor:
    """The scores of the untouched net."""
    with torch.no_grad():
        return net(small)


@pytest.mark.slow
def test_the_script_runs_and_finds_the_documents_shapes(tmp_path: Path) -> None:
    """At full size."""
    text = printed_by("02_inputs_and_outputs", tmp_path)
    assert "takes a tuple of 1, ((2, 64, 56, 56),), and gives a tensor (2, 64, 56, 56);" in text
    assert "The model gives (2, 1000)." in text
    assert "Gradients: input (2, 64, 56, 56), output (2, 64, 56, 56)" in text
    assert text.count("the same: True") == 2


@pytest.mark.slow
def test_inputs_output_and_result_have_the_documents_shapes(net: nn.Module) -> None:
    """Inputs are a tuple of one, and the output is one tensor."""
    images = torch.zeros(2, 3, 224, 224)
    expected = taught.Shapes(inputs=(MAPS,), output=MAPS, result=(2, 1000))
    assert taught.shapes_by_hook(net, images) == expected
    assert taught.shapes_by_capture(net, images) == expected


def test_a_full_backward_hook_and_a_capture_see_the_same_gradients(
    net: nn.Module, small: torch.Tensor
) -> None:
    """Autograd itself, started at the layer, agrees."""
    hooked, captured = taught.gradients_by_hook(net, small), taught.gradients_by_capture(net, small)
    assert hooked.at_input.shape == hooked.at_output.shape == (2, 64, 8, 8)
    assert all(map(torch.equal, hooked, captured))
    conv = net.get_submodule(taught.LAYER)
    expected = torch.conv_transpose2d(hooked.at_output, conv.weight, padding=1)
    assert torch.allclose(hooked.at_input, expected, atol=1e-6)


def test_a_full_backward_hook_before_an_in_place_relu_is_refused(net: nn.Module, small: torch.Tensor) -> None:
    """The trap: torch raises; a capture does not mind."""
    assert "modified inplace" in taught.refusal(net, small)
    assert taught.gradients_by_capture(net, small, "layer1.1.bn2").at_output.abs().sum() > 0
    assert not any(layer._backward_hooks for layer in net.modules())


@pytest.mark.parametrize("change", [taught.output_changed_by_hook, taught.output_changed_by_edit])
def test_a_changed_output_changes_the_result(
    net: nn.Module, small: torch.Tensor, plain: torch.Tensor, change: Callable[..., torch.Tensor]
) -> None:
    """A hook and an edit do the same as doubling the convolution's weights."""
    conv = net.get_submodule(taught.LAYER)
    with torch.no_grad():
        conv.weight.mul_(2)
        expected = net(small)
        conv.weight.div_(2)
    assert not torch.allclose(expected, plain)
    assert torch.equal(change(net, small), expected)


def test_an_input_changed_in_a_forward_hook_comes_too_late(
    net: nn.Module, small: torch.Tensor, plain: torch.Tensor
) -> None:
    """The layer has already read it, and nothing else reads it."""
    assert torch.equal(taught.input_changed_too_late(net, small), plain)


def test_too_late_for_the_layer_is_not_too_late_for_the_shortcut(
    net: nn.Module, small: torch.Tensor, plain: torch.Tensor
) -> None:
    """The trap: conv1's input is added at the end of the block, and the sum sees the overwritten memory."""
    changed = taught.input_changed_too_late(net, small, "layer1.1.conv1")
    assert not torch.allclose(changed, plain)


@pytest.mark.parametrize("change", [taught.input_changed_by_hook, taught.input_changed_by_edit])
def test_an_input_changed_before_the_layer_changes_the_result(
    net: nn.Module, small: torch.Tensor, plain: torch.Tensor, change: Callable[..., torch.Tensor]
) -> None:
    """A convolution without bias turns zeros into zeros, as if its weights were zero."""
    conv = net.get_submodule(taught.LAYER)
    weight = conv.weight.detach().clone()
    with torch.no_grad():
        conv.weight.zero_()
        expected = net(small)
        conv.weight.copy_(weight)
    assert not torch.allclose(expected, plain)
    assert torch.equal(change(net, small), expected)


def test_looking_in_train_mode_changes_the_model(net: nn.Module, small: torch.Tensor) -> None:
    """The batch norms learn from the picture; a run of LayerActivations is in eval mode."""
    assert taught.statistics_moved(net, small, net)
    assert not taught.statistics_moved(net, small, taught.LayerActivations(net, device="cpu").run)
