"""Checks of whether looking changes a model's output: against models that it does change."""

from typing import Any

import pytest
import torch
from torch import nn

from tests.viz.aliasing import NETS, Net
from viz.hooks.activations import LayerActivations
from viz.profile.interference import interference

MODES = [{}, {"inputs": True}, {"gradients": True}, {"inputs": True, "gradients": True}]


class Notices(nn.Module):
    """A model that asks whether its layer has hooks, or whether there is a graph, and answers accordingly."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x) + 2 * bool(self.layer._forward_hooks) + 3 * bool(self.layer._forward_pre_hooks)


class Counts(nn.Module):
    """A model that never returns the same twice."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.calls = nn.Identity(), 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        return self.layer(x) + self.calls


class ChannelsLast(nn.Module):
    """Returns a view of one picture with channels last in memory, as a norm of channels does."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)


class Strided(nn.Module):
    """A model whose output is how the memory of its maps lies: convolutions choose their kernels by that."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.layer = nn.Identity(), ChannelsLast()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tensor(self.layer(self.first(x)).stride())


@pytest.mark.parametrize("options", MODES, ids=lambda options: "+".join(options) or "outputs")
def test_the_strides_of_a_single_picture_stay_as_they_are(options: Any) -> None:
    """A batch of one may have any stride, and a view that chose another changed the last bits."""
    assert interference(LayerActivations(Strided(), device="cpu"), torch.rand(1, 3, 4, 5), **options) is None


@pytest.mark.parametrize("options", MODES, ids=lambda options: "+".join(options) or "outputs")
@pytest.mark.parametrize("name", NETS)
def test_no_mode_of_capturing_changes_a_net_of_hazards(rows: torch.Tensor, name: str, options: Any) -> None:
    """Each of them changed under a tool that copies what flows on."""
    assert interference(LayerActivations(NETS[name](), device="cpu"), rows, **options) is None


def test_a_model_that_notices_its_hooks_is_found_out(rows: torch.Tensor) -> None:
    """The sentence says where, and by how much."""
    layers = LayerActivations(Notices(), device="cpu")
    assert "output differs by up to 2" in str(interference(layers, rows))
    assert "output differs by up to 5" in str(interference(layers, rows, inputs=True))


def test_a_model_that_returns_something_else_is_found_out(rows: torch.Tensor) -> None:
    """Another number of tensors, or another shape."""

    def more(net: Net, x: torch.Tensor) -> Any:
        return [x] * (1 + len(net.layer._forward_hooks))

    def larger(net: Net, x: torch.Tensor) -> torch.Tensor:
        return x.repeat(1 + len(net.layer._forward_hooks), 1)

    for run, said in ((more, "2 tensors instead of 1"), (larger, "(4, 4) instead of (2, 4)")):
        layers = LayerActivations(Net(run, layer=nn.Identity()), device="cpu")
        assert said in str(interference(layers, rows))


def test_a_model_that_differs_from_itself_is_not_judged(rows: torch.Tensor) -> None:
    """Nobody can tell what looking changes about it."""
    assert interference(LayerActivations(Counts(), device="cpu"), rows) is None


def test_a_model_that_draws_random_numbers_gets_the_same_ones(rows: torch.Tensor) -> None:
    """Noise in eval mode is no difference, and the caller's own generator is left alone."""
    layers = LayerActivations(
        Net(lambda net, x: net.layer(x) + torch.randn(4), layer=nn.Identity()), device="cpu"
    )
    before = torch.get_rng_state()
    assert all(interference(layers, rows, **options) is None for options in MODES)
    assert torch.equal(torch.get_rng_state(), before)
