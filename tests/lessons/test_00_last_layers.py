"""Lesson 0: eight layers of a transformer stacked, and hooks by type and by name."""

from pathlib import Path

import pytest
import torch
from torch import nn

from tests.lessons.scripts import printed_by
from viz.lessons import last_layers as taught

X = torch.tensor([[2.0, 3.0]])


@pytest.fixture
def encoder() -> nn.Module:
    """The lesson's eight layers, made narrow."""
    torch.manual_seed(0)
    return taught.Encoder(features=6, tokens=5, width=16, heads=4).eval()


@pytest.fixture
def patches() -> torch.Tensor:
    """Two pictures of five patches."""
    torch.manual_seed(1)
    return torch.randn(2, 5, 6)


@pytest.mark.slow
def test_the_script_runs_and_finds_the_documents_shape(tmp_path: Path) -> None:
    """At full width: eight layers, two pictures, 196 tokens of 768 values."""
    text = printed_by("00_last_layers", tmp_path)
    assert "(K, batch, tokens, width): (8, 2, 196, 768)." in text
    assert "Capture = hooks: True; capture = by hand: True." in text
    assert "no layer named 'relu_6'; did you mean relu6?" in text


@pytest.mark.parametrize("last", [1, 3, 8])
def test_the_last_layers_are_the_same_in_three_ways(
    encoder: nn.Module, patches: torch.Tensor, last: int
) -> None:
    """Hooks, capture and a loop without hooks agree to the last bit, in eval mode and without gradients."""
    by_hand = taught.last_by_hand(encoder, patches, last)
    assert by_hand.shape == (last, 2, 5, 16)
    assert torch.equal(taught.last_by_hook(encoder, patches, last), by_hand)
    assert torch.equal(taught.last_by_capture(encoder, patches, last), by_hand)


def test_a_capture_is_the_same_from_train_mode(encoder: nn.Module, patches: torch.Tensor) -> None:
    """Dropout is off for the run, and the model's mode is as before."""
    expected = taught.last_by_capture(encoder, patches, 8)
    assert torch.equal(taught.last_by_capture(encoder.train(), patches, 8), expected)
    assert encoder.training


def test_the_fast_path_is_as_before(encoder: nn.Module, patches: torch.Tensor) -> None:
    """The switch belongs to the whole process, so it must be restored."""
    taught.last_by_hook(encoder, patches, 1)
    assert torch.backends.mha.get_fastpath_enabled()


def test_no_hook_is_left_on_the_encoder(encoder: nn.Module, patches: torch.Tensor) -> None:
    """That also holds if the input has the wrong shape and the model raises."""
    with pytest.raises(RuntimeError):
        taught.last_by_hook(encoder, patches[:, :, :3], 8)
    assert not any(layer._forward_hooks for layer in encoder.modules())


def test_without_batch_first_samples_see_each_other() -> None:
    """The trap: (batch, tokens, width) read as (tokens, batch, width)."""
    assert taught.reach_of_a_neighbour(batch_first=False) > 0.01
    assert taught.reach_of_a_neighbour(batch_first=True) == 0


def test_hooks_by_type_see_what_the_model_itself_reports() -> None:
    """Inputs and outputs of all layers but the last."""
    net = taught.TwoLinears()
    result, took, gave = net(X)
    assert (result.item(), [value.tolist() for value in gave]) == (6, [[[5, -1]], [[10]], [[10]]])
    for seen in (taught.by_type(net, X), taught.by_capture(net, [nn.Linear, nn.ReLU], X)):
        assert all(map(torch.equal, seen[0], took))
        assert all(map(torch.equal, seen[1], gave))
        assert len(seen[0]) == len(seen[1]) == 3


def test_a_hook_by_name_sees_that_layer_alone() -> None:
    """ReLU6 takes 10 and gives 6."""
    net = taught.TwoLinears()
    for took, gave in (taught.by_name(net, "relu6", X), taught.by_capture(net, ["relu6"], X)):
        assert [value.item() for value in (*took, *gave)] == [10, 6]


def test_a_misspelt_name_is_silent_with_hooks_and_an_error_with_a_capture() -> None:
    """The trap in looking for a name with ``==``."""
    net = taught.TwoLinears()
    assert taught.by_name(net, "relu_6", X) == ((), ())
    assert taught.complaint(net, "relu_6") == "no layer named 'relu_6'; did you mean relu6?"
    assert taught.complaint(net, "relu6") == ""
