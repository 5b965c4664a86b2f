"""Lesson 4: gradients changed on their way, pooled activations, three kinds of hook in a running net."""

from pathlib import Path

import pytest
import torch
from torch import nn

from tests.lessons.scripts import printed_by
from viz.lessons import changing_a_running_net as taught


@pytest.fixture
def net() -> nn.Module:
    """The document's small net."""
    torch.manual_seed(0)
    return taught.SmallNet().eval()


@pytest.fixture
def pictures() -> torch.Tensor:
    """One picture of 10 by 10."""
    torch.manual_seed(1)
    return torch.randn(1, 3, 10, 10)


def test_the_script_runs_and_prints_the_documents_numbers(tmp_path: Path) -> None:
    """Each number is the one in the document."""
    text = printed_by("04_changing_a_running_net", tmp_path)
    assert "gradients of a, b, c are (13.0, 7.0, 1.0)" in text
    assert "adds 2: (39.0, 21.0, 3.0) and by an edit: (39.0, 21.0, 3.0)" in text
    assert "pool gives (1, 8, 4, 4); by capture the same: True." in text
    assert text.count("an edit does the same: True") == 3


def test_a_hook_that_adds_two_triples_all_three_gradients() -> None:
    """One at c becomes three, and what flows on to a and b is multiplied with it."""
    assert taught.product() == (13, 7, 1)
    assert taught.product(taught.plus_two) == (39, 21, 3)
    assert taught.product_by_edit(taught.plus_two) == (39, 21, 3)


def test_a_hook_that_returns_a_new_gradient_changes_nothing_else() -> None:
    """Only ``a`` changes, which has the hook."""
    assert taught.total() == (1, 1, 1)
    assert taught.total(taught.plus_two) == (3, 1, 1)


def test_a_hook_that_writes_in_place_changes_what_is_not_its_own() -> None:
    """The trap: a sum gives both sides the same tensor, and it belongs to the caller."""
    assert taught.total(taught.plus_hundred_in_place) == (101, 101, 101)


def test_an_in_place_hook_may_be_refused() -> None:
    """The gradient of a sum is one number in memory, however many entries it shows."""
    assert "single memory location" in taught.in_place_on_a_sum()


def test_pooled_activations_are_8_maps_of_4_by_4(net: nn.Module, pictures: torch.Tensor) -> None:
    """By hook, by capture, and by hand."""
    expected = net.pool(net.conv(pictures).relu()).detach()
    assert expected.shape == (1, 8, 4, 4)
    assert torch.equal(taught.pooled_by_hook(net, pictures), expected)
    assert torch.equal(taught.pooled_by_capture(net, pictures), expected)


def by_hand(net: nn.Module, pictures: torch.Tensor, kind: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The result and the picture's gradient from the arithmetic that the hooks stand for."""
    x = pictures.clone().requires_grad_()
    maps = net.conv(x).relu()
    pooled = net.pool(maps * 3 if kind == "pre-hook" else maps)
    result = net.fc((pooled + 1 if kind == "forward hook" else pooled).flatten(1))
    gradient = torch.autograd.grad(result.sum(), x)[0]
    return result.detach(), gradient * 5 if kind == "backward hook" else gradient


@pytest.mark.parametrize("kind", ["pre-hook", "forward hook", "backward hook"])
def test_each_kind_of_hook_changes_a_running_net(net: nn.Module, pictures: torch.Tensor, kind: str) -> None:
    """As its arithmetic says; an edit does the same, and the net is as before afterwards."""
    expected = by_hand(net, pictures, kind)
    plain = taught.outcome(net, pictures)
    assert not all(map(torch.allclose, expected, plain))
    assert all(map(torch.allclose, taught.outcome(net, pictures, kind), expected))
    assert all(map(torch.allclose, taught.outcome_by_edit(net, pictures, kind), expected))
    assert all(map(torch.equal, taught.outcome(net, pictures), plain))


def test_a_backward_hook_must_return_a_tuple(net: nn.Module, pictures: torch.Tensor) -> None:
    """The trap: a bare tensor is taken apart along its batch."""
    handle = net.pool.register_full_backward_hook(lambda _, into, __: into[0] * 5)
    with pytest.raises(RuntimeError, match="changed the size"):
        net(pictures.requires_grad_()).sum().backward()
    handle.remove()
