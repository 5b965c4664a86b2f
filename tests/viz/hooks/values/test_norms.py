"""Gradients through batch norms, however the memory of their inputs and gradients lies."""

import copy

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

import models
from viz.hooks.activations import LayerActivations
from viz.hooks.values import norms

INPUT = (1, 3, 4, 6)
TORCH_BATCH_NORM = torch.batch_norm


class Folded(nn.Module):
    """A norm whose maps (N, C, places) become tokens: what comes back lies with the channels last."""

    def __init__(self, norm: nn.Module) -> None:
        super().__init__()
        self.norm, self.mix = norm, nn.Linear(3, 5)

    def forward(self, maps: Tensor) -> Tensor:
        """Return one number."""
        tokens = self.normed(maps).flatten(2).transpose(1, 2).contiguous()
        hidden = self.mix(tokens).sin()
        return (hidden * torch.arange(hidden[0].numel()).view(hidden[0].shape)).sum()

    def normed(self, maps: Tensor) -> Tensor:
        """Return the maps behind the norm."""
        return self.norm(maps)


class Functional(Folded):
    """Its norm is a function."""

    def normed(self, maps: Tensor) -> Tensor:
        """Return the maps behind the norm."""
        norm = self.norm
        return functional.batch_norm(maps, norm.running_mean, norm.running_var, norm.weight, norm.bias)


class ByKeyword(Folded):
    """Its norm is torch's own function, given by keyword."""

    def normed(self, maps: Tensor) -> Tensor:
        """Return the maps behind the norm."""
        mean, spread = self.norm.running_mean, self.norm.running_var
        options = {"training": False, "momentum": 0.1, "eps": 1e-5, "cudnn_enabled": False}
        return torch.batch_norm(
            input=maps, weight=None, bias=None, running_mean=mean, running_var=spread, **options
        )


class Unfolded(Folded):
    """Tokens become maps in front of the norm: so does its input lie, and its gradient does not."""

    def normed(self, maps: Tensor) -> Tensor:
        """Return the maps behind the norm."""
        tokens = maps.flatten(2).transpose(1, 2).contiguous()
        return self.norm(tokens.transpose(1, 2).unflatten(2, maps.shape[2:]))

    def forward(self, maps: Tensor) -> Tensor:
        """Return one number."""
        normed = self.normed(maps).exp()
        return (normed * torch.arange(normed.numel()).view(normed.shape)).sum()


class Column(Folded):
    """Its maps are one number wide: not only the batch may be an axis of size 1."""

    def normed(self, maps: Tensor) -> Tensor:
        """Return the maps behind the norm."""
        column: Tensor = self.norm(maps).squeeze(3)
        return column.unsqueeze(3)


class Checkpointed(Folded):
    """Its norm runs again in the backward pass."""

    def normed(self, maps: Tensor) -> Tensor:
        """Return the maps behind the norm."""
        return checkpoint(self.norm, maps, use_reentrant=False)


def batch_norm(kind: type[nn.Module] = nn.BatchNorm2d) -> nn.Module:
    """A norm that scales each of three channels by a number of its own."""
    norm = kind(3, affine=True, track_running_stats=True)
    for numbers in (norm.weight.data, norm.running_var, norm.running_mean):
        numbers.uniform_(0.5, 2)
    return norm


NETS = {
    "module": lambda: Folded(batch_norm()),
    "function": lambda: Functional(batch_norm()),
    "function by keyword": lambda: ByKeyword(batch_norm()),
    "input like tokens": lambda: Unfolded(batch_norm()),
    "run again": lambda: Checkpointed(batch_norm()),
    "instance norm": lambda: Folded(batch_norm(nn.InstanceNorm2d)),
    "of one column": lambda: Column(batch_norm()),
    "in volumes": lambda: Folded(batch_norm(nn.BatchNorm3d)),
}
SHAPES = {"of one column": (2, 3, 4, 1), "in volumes": (1, 3, 2, 3, 2)}


def by_differences(net: nn.Module, given: Tensor) -> Tensor:
    """Return the gradient of a net's one number by central differences in float64."""
    exact, step = copy.deepcopy(net).double(), 1e-5
    found = torch.empty(given.numel(), dtype=torch.float64)
    for place in range(given.numel()):
        change = torch.zeros(given.numel(), dtype=torch.float64)
        change[place] = step
        ends = [given.double() + sign * change.view(given.shape) for sign in (1, -1)]
        with torch.no_grad():
            above, below = (exact(end) for end in ends)
        found[place] = (above - below) / (2 * step)
    return found.view(given.shape).float()


def made(name: str) -> tuple[nn.Module, Tensor]:
    """Return a net of ``NETS`` and an input for it."""
    torch.manual_seed(0)
    return NETS[name]().eval(), torch.randn(SHAPES.get(name, INPUT))


def through(net: nn.Module, given: Tensor) -> Tensor:
    """Return the gradient at the input by a run that captures gradients."""
    layers, start = LayerActivations(net, device="cpu"), given.clone().requires_grad_()
    with layers.capture("norm", gradients=True):
        return torch.autograd.grad(layers.run(start), start)[0]


def distance(found: Tensor, expected: Tensor) -> float:
    """Return the largest difference, as a part of the largest number."""
    return float((found - expected).abs().max() / expected.abs().max())


@pytest.mark.parametrize("name", NETS)
def test_a_gradient_through_a_norm_is_that_of_finite_differences(name: str) -> None:
    """The oracle runs forward only. Without help, PyTorch is far away from it."""
    net, given = made(name)
    assert distance(through(net, given), by_differences(net, given)) < 1e-3


@pytest.mark.parametrize("name", ["module", "instance norm"])
def test_a_gradient_in_training_mode_is_that_of_finite_differences(name: str) -> None:
    """Then each number affects the mean, so the input counts too."""
    net, given = made(name)
    net.norm.momentum = 0.0
    layers, start = LayerActivations(net, device="cpu"), given.clone().requires_grad_()
    with layers.training(), layers.capture("norm", gradients=True):
        (found,) = torch.autograd.grad(layers.run(start), start)
    assert distance(found, by_differences(net.train(), given)) < 1e-3


def test_the_included_transformer_has_the_same_gradients_alone_and_in_a_batch() -> None:
    """PyTorch is right about two pictures: at the input, and at each layer of the stem."""
    net = models.load("patchformer")
    layers = LayerActivations(net, device="cpu")
    picture = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    found = []
    for count in (1, 2):
        with layers.capture(lambda name, _: name.startswith("stem"), inputs=True, gradients=True) as record:
            layers.run(picture.repeat(count, 1, 1, 1))[:, 3].sum().backward()
        found.append([call.gradient[0] for call in record.values()])
        found[-1].append(record["stem.conv1"].input_gradients[0][0])
    for alone, together in zip(*found, strict=True):
        assert distance(alone, together) < 1e-5


def test_a_second_derivative_through_a_norm_is_that_of_finite_differences() -> None:
    """Of the sum of the squared first one, whose way back leads through the norm twice."""
    net, given = made("module")
    layers, start = LayerActivations(net, device="cpu"), given.clone().requires_grad_()
    with layers.capture("norm", gradients=True, create_graph=True):
        (first,) = torch.autograd.grad(layers.run(start), start, create_graph=True)
        (second,) = torch.autograd.grad(first.square().sum(), start)

    assert distance(second, by_differences(SquaredSlope(net), given)) < 1e-3


class SquaredSlope(nn.Module):
    """The sum of a folded net's squared gradients, by two equal pictures, of which PyTorch is right."""

    def __init__(self, net: Folded) -> None:
        super().__init__()
        self.net = net

    def forward(self, maps: Tensor) -> Tensor:
        """Return one number."""
        with torch.enable_grad():
            pair = maps.repeat(2, 1, 1, 1).requires_grad_()
            return torch.autograd.grad(self.net(pair), pair)[0][0].square().sum().detach()


def test_a_graph_is_right_after_its_block_and_pytorch_is_as_before() -> None:
    """The help belongs to the graph; the functions of torch are replaced in the block alone."""
    net, given = made("module")
    layers, start = LayerActivations(net, device="cpu"), given.clone().requires_grad_()
    with layers.capture("norm", gradients=True), layers.capture("mix", gradients=True):
        score = layers.run(start)
        assert torch.batch_norm is not TORCH_BATCH_NORM
    assert torch.batch_norm is TORCH_BATCH_NORM
    assert distance(torch.autograd.grad(score, start)[0], by_differences(net, given)) < 1e-3


def test_a_gradient_that_pytorch_gets_right_is_the_same_bit_for_bit() -> None:
    """Also in its strides: maps that lie with their channels last go on doing so."""
    norm = batch_norm().eval()
    gradient, start = (torch.randn(2, 4, 6, 3).permute(0, 3, 1, 2) for _ in range(2))
    start.requires_grad_()
    (expected,) = torch.autograd.grad(norm(start), start, gradient)
    with norms.right_norms():
        (found,) = torch.autograd.grad(norm(start), start, gradient)
    assert torch.equal(found, expected)
    assert found.stride() == expected.stride()


def test_the_help_is_no_operation_of_the_model() -> None:
    """Nor does it change what a function returns."""
    net, given = made("function")
    seen: list[str] = []
    layers = LayerActivations(net, device="cpu")
    with layers.watch_operations(lambda name, _: seen.append(name)):
        plain = layers.run(given)
        alone = [*seen]
        seen.clear()
        with layers.capture("mix", gradients=True):
            helped = layers.run(given)
    assert seen == alone
    assert torch.equal(helped, plain)


def test_nothing_is_done_once_pytorch_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried once in a process."""
    monkeypatch.setattr(norms, "_is_right", lambda: True)
    with norms.right_norms():
        assert torch.batch_norm is TORCH_BATCH_NORM


def test_pytorch_still_needs_help() -> None:
    """If this fails, PyTorch is cured: delete ``viz.hooks.values.norms`` and the line of scripts about it."""
    net, given = made("module")
    start = given.clone().requires_grad_()
    (found,) = torch.autograd.grad(net(start), start)
    assert distance(found, by_differences(net, given)) > 0.1
