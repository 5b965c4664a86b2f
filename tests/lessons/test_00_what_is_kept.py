"""Lesson 0, second half: a ReLU in a Sequential, and what clone, detach and copies keep."""

from pathlib import Path

import pytest
import torch

from tests.lessons.scripts import printed_by
from viz.lessons import what_is_kept as taught


@pytest.fixture
def pictures() -> torch.Tensor:
    """Two pictures of the document's size."""
    torch.manual_seed(0)
    return torch.rand(2, 3, 224, 224) - 0.5


def test_the_script_runs_and_prints_its_table(tmp_path: Path) -> None:
    """There are seven ways to keep a value, each with what becomes of it."""
    text = printed_by("00_what_is_kept", tmp_path)
    assert "by hand: (2, 9, 224, 224); the net's: (2, 9, 1, 1)." in text
    assert [line.split("  ")[1] for line in text.splitlines()[-7:]] == list(taught.ways_to_keep())


def test_walking_by_hand_and_hooks_find_the_same_relu(pictures: torch.Tensor) -> None:
    """Shapes as in the document, values from the ReLU's definition."""
    net = taught.small_net()
    relu, end = taught.relu_by_hand(net, pictures)
    assert (relu.shape, end.shape) == ((2, 9, 224, 224), (2, 9, 1, 1))
    with torch.no_grad():
        expected = net[1](net[0](pictures)).clamp(min=0)
    assert torch.equal(relu, expected)
    assert torch.equal(taught.references_by_hook(net, pictures)[1], expected)
    assert torch.equal(taught.copies_by_capture(net, pictures)[1], expected)


def test_a_reference_to_batch_norms_output_holds_the_relus(pictures: torch.Tensor) -> None:
    """The trap: the ReLU after it works in place. A capture has the value of that moment."""
    net = taught.small_net()
    normed, relu = taught.references_by_hook(net, pictures)
    assert torch.equal(normed, relu)
    kept = taught.copies_by_capture(net, pictures)[0]
    assert kept.min() < -0.1
    assert torch.equal(kept.clamp(min=0), relu)


@pytest.mark.parametrize(
    ("way", "shares_memory", "reaches_back"),
    [
        ("the bare reference", True, True),
        ("clone()", False, True),
        ("detach()", True, False),
        ("detach().clone()", False, False),
        ("new_tensor(value)", False, False),
        ("empty_like().copy_()", False, True),  # unlike new_tensor: copy_ is a step of the graph
        ("LayerActivations", False, False),
    ],
)
def test_what_each_way_to_keep_a_value_keeps(way: str, *, shares_memory: bool, reaches_back: bool) -> None:
    """Shared memory decides whether an overwrite reaches it, the graph whether a gradient flows."""
    fate = taught.fate(way)
    assert fate.shares_memory == shares_memory
    assert fate.gradient == ([1, 1, 1] if reaches_back else None)
    assert fate.later == ([0, 0, 0] if shares_memory else [1, 2, 3])


def test_torch_itself_advises_against_new_tensor() -> None:
    """With a warning, which the lesson keeps from the reader's terminal."""
    with pytest.warns(UserWarning, match="detach"):
        torch.ones(2).new_tensor(torch.ones(2))
