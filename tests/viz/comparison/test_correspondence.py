"""Pairs of layers that are compared where two nets are not built alike."""

import copy

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.viz.comparison.faults import pictures
from viz import Divergence, divergence


class Chain(nn.Module):
    """Two convolutions and a linear layer, with activations that are layers, functions, or missing."""

    def __init__(self, *acts: nn.Module | None) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.conv1, self.conv2 = nn.Conv2d(3, 8, 3), nn.Conv2d(8, 8, 3)
        self.fc = nn.Linear(8 * 64, 4)
        for place, act in enumerate(acts, 1):
            if act is not None:
                setattr(self, f"act{place}", act)

    def forward(self, x: Tensor) -> Tensor:
        x = getattr(self, "act1", functional.relu)(self.conv1(x))
        return self.fc(getattr(self, "act2", functional.relu)(self.conv2(x)).flatten(1))


class Bare(Chain):
    """The same without the second activation."""

    def forward(self, x: Tensor) -> Tensor:
        x = getattr(self, "act1", functional.relu)(self.conv1(x))
        return self.fc(self.conv2(x).flatten(1))


def pairs(found: Divergence) -> list[tuple[str | None, str | None]]:
    """The names that stand beside each other."""
    return [(row.layer, row.other) for row in found]


def sequential(*, second: bool) -> nn.Sequential:
    """Layers whose names are numbers, with or without the second activation."""
    torch.manual_seed(1)
    layers = [nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3)]
    return nn.Sequential(*(layer for place, layer in enumerate(layers) if second or place != 3))


def test_a_function_in_place_of_a_layer_is_no_difference() -> None:
    """The activation is only in one of the two, and has nothing beside it."""
    found = divergence(Chain(nn.ReLU(), nn.ReLU()), Chain(), pictures())
    assert found.first is None
    assert ("act1", None) in pairs(found)
    [row] = [row for row in found if row.layer == "act1"]
    assert (row.max_abs, row.outside, row.made_here) == (None, None, None)
    assert row.reason == "the other net has no layer like it"
    assert all(each.reason is None for each in found if each is not row and each.layer != "act2")


@pytest.mark.parametrize("swapped", [False, True])
def test_a_layer_that_is_missing_is_named(swapped: bool) -> None:
    """On either side: names behind it are other numbers, and layers are still beside their likes."""
    sides = sequential(second=True), sequential(second=False)
    found = divergence(*(reversed(sides) if swapped else sides), pictures())
    expected = [("0", "0"), ("1", "1"), ("2", "2"), ("3", None), ("4", "3"), ("", "")]
    assert pairs(found) == ([pair[::-1] for pair in expected] if swapped else expected)
    assert found.first is not None
    assert (found.first.layer, found.first.other) == ((None, "3") if swapped else ("3", None))
    assert [row for row in found if row.made_here] == [found.first]
    assert found.first.reason == "the other net has no layer like it"
    with torch.no_grad():
        before = sides[0][2](sides[0][1](sides[0][0](pictures())))
    assert found.first.max_abs == pytest.approx(before.clamp(max=0).abs().max().item(), rel=1e-6)


def test_a_function_that_is_missing_is_made_in_the_code_around_it() -> None:
    """The next layer is handed the difference, and no layer but the model itself makes it."""
    found = divergence(Chain(), Bare(), pictures())
    assert found.first is not None
    assert (found.first.layer, found.first.made_here) == ("fc", False)
    assert [row.layer for row in found if row.made_here] == [""]


def test_a_dropped_layer_that_changes_nothing_is_not_blamed() -> None:
    """A dropout in evaluation mode is only in one net, just before the fault."""
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Dropout(), nn.Flatten(), nn.Linear(400, 3)).eval()
    wrong = nn.Sequential(*(copy.deepcopy(net[place]) for place in (0, 2, 3)))
    wrong[2].bias.data += 1
    found = divergence(net, wrong, pictures())
    assert found.first is not None
    assert (found.first.layer, found.first.other, found.first.made_here) == ("3", "2", True)
    assert ("1", None) in pairs(found)


def test_a_layer_that_runs_twice_stands_beside_the_two_that_do_its_work() -> None:
    """One shared activation on the one side, two on the other: a row for each."""
    act = nn.ReLU()
    found = divergence(Chain(act, act), Chain(nn.ReLU(), nn.ReLU()), pictures())
    assert pairs(found) == [
        ("conv1", "conv1"),
        ("act1", "act1"),
        ("conv2", "conv2"),
        ("act1", "act2"),
        ("fc", "fc"),
        ("", ""),
    ]
    assert all(row.max_abs == 0 for row in found)


def test_a_second_call_that_is_wrong_does_not_accuse_the_first() -> None:
    """A layer between the two calls is the first that parts; the shared one stands behind it."""
    act, other = nn.ReLU(), nn.ReLU()
    net, wrong = Chain(act, act), Chain(other, other)
    wrong.conv2.bias.data += 1
    found = divergence(net, wrong, pictures())
    assert found.first is not None
    assert found.first.layer == "conv2"
    assert [row.layer for row in found] == ["conv1", "conv2", "act1", "fc", ""]


def test_layers_are_matched_by_hand_where_names_mislead() -> None:
    """Two equal branches whose names are exchanged."""

    class Branches(nn.Module):
        def __init__(self, names: str) -> None:
            super().__init__()
            torch.manual_seed(1)
            self.names = names
            for name in names:
                self.add_module(name, nn.Conv2d(3, 3, 1))

        def forward(self, x: Tensor) -> Tensor:
            return getattr(self, self.names[0])(x) + 2 * getattr(self, self.names[1])(x)

    net, renamed = Branches("pq"), Branches("qp")
    assert divergence(net, renamed, pictures()).first is not None
    found = divergence(net, renamed, pictures(), matches={"p": "q", "q": "p"})
    assert found.first is None
    assert pairs(found) == [("p", "q"), ("q", "p"), ("", "")]


def test_a_fused_activation_takes_the_place_of_both() -> None:
    """A class that names both does both: the convolution alone has nothing to be compared with."""

    class ConvReLU2d(nn.Conv2d):
        def forward(self, x: Tensor) -> Tensor:
            return functional.relu(super().forward(x))

    net = Chain(nn.ReLU(), nn.ReLU())
    fused = copy.deepcopy(net)
    fused.conv1.__class__, fused.act1 = ConvReLU2d, nn.Identity()
    found = divergence(net, fused, pictures())
    assert found.first is None
    assert pairs(found)[:2] == [("conv1", None), ("act1", "act1")]
    assert found.rows[0].reason == "compared together with act1"


def test_a_layer_that_is_matched_with_none_by_hand_has_that_as_its_reason() -> None:
    """And a value that was not captured has its own."""
    net = sequential(second=True)
    found = divergence(net, copy.deepcopy(net), pictures(), matches={"1": None})
    assert [row.reason for row in found if row.layer == "1"] == ["matched with no layer by hand"]
    found = divergence(net, {"1": net[:2](pictures()).detach()}, pictures())
    reasons = {row.layer: row.reason for row in found}
    assert reasons.pop("1") is None
    assert set(reasons.values()) == {"no values of it were given"}
