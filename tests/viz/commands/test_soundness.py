"""Checks of a sweep: exact values, right places and unchanged outputs, a tiny net for each way to fail."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tools.plain_hooks import compared
from viz.commands import soundness as soundness_module
from viz.commands.soundness import GRAPH_LIMIT, MODES, Comparison, Soundness, soundness
from viz.hooks.activations import LayerActivations
from viz.receptive.places import known
from viz.request.arrangement import Arrangement

IMAGES = torch.rand(1, 3, 8, 8, generator=torch.Generator().manual_seed(0))
ALL_UNCHANGED = dict.fromkeys(MODES, "unchanged")


class Notices(nn.Module):
    """Adds something as soon as its convolution has hooks."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind, self.first, self.conv, self.relu = kind, nn.Identity(), nn.Conv2d(3, 4, 3), nn.ReLU()

    def forward(self, images: Tensor) -> Tensor:
        maps: Tensor = self.conv(self.first(images))
        return self.relu(maps) + bool(getattr(self.conv, self.kind))


class Rooted(nn.Module):
    """Computes something else while it has hooks itself: plain hooks are on every layer, and on the model."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.relu = nn.Conv2d(3, 4, 3), nn.ReLU()

    def forward(self, images: Tensor) -> Tensor:
        maps: Tensor = self.relu(self.conv(images) + bool(self._forward_hooks))
        return maps


def checked(module: nn.Module, **options: Any) -> Soundness:
    """Return the checks' findings, with plain hooks for comparison."""
    layers = LayerActivations(module.eval(), device="cpu")
    return soundness(layers, (IMAGES,), options.pop("compare", compared), **options)


def plain_net() -> nn.Module:
    """Two layers whose outputs are maps, and two that have no place."""
    return nn.Sequential(
        nn.Conv2d(3, 4, 3, padding=1),
        nn.ReLU(inplace=True),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(4, 2),
    )


@pytest.mark.parametrize("budget", [1, 1 << 29])
def test_a_plain_net_passes_every_check(budget: int) -> None:
    """Its layers are compared one by one or together, by the budget."""
    assert checked(plain_net(), budget=budget) == Soundness(
        5, 0, 5, {"known": 2, "guessed": 0, "wrong": 0, "no place": 3}, ALL_UNCHANGED
    )


def test_a_layer_with_other_values_under_plain_hooks_is_inexact() -> None:
    """It is named, with the tensor that differs; the layer before it stays exact."""
    found = checked(Rooted())
    assert (found.exact, found.inexact, found.tensors) == (1, 1, 1)
    assert found.faults == (("relu", "inexact: call 0, tensor 0"),)


def test_a_comparison_that_fails_is_a_fault_and_the_other_checks_go_on() -> None:
    """Its error is said."""

    def failing(_layers: LayerActivations, _arguments: tuple[Any, ...], _names: Sequence[str]) -> Any:
        raise MemoryError("no room\nleft")

    found = checked(plain_net(), compare=failing)
    assert found.faults == (("", "could not be compared: MemoryError: no room left"),)
    assert found.modes == ALL_UNCHANGED


def test_without_a_comparison_nothing_counts_as_exact_or_inexact() -> None:
    """The other checks are made."""
    found = checked(plain_net(), compare=None)
    assert (found.exact, found.inexact, found.tensors, found.faults) == (None, None, None, ())
    assert found.places["known"] == 2


def test_a_layer_without_tensors_is_not_compared() -> None:
    """It neither equals anything nor differs from it."""
    found = checked(plain_net(), compare=lambda *given: {name: Comparison(0) for name in given[-1]})
    assert (found.exact, found.inexact, found.tensors, found.faults) == (0, 0, 0, ())


def test_a_layer_that_is_drawn_in_a_wrong_place_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here its maps are said to be turned, which the places of their values contradict."""
    right = known.arrangement

    def turned(*given: Any) -> Arrangement | None:
        found = right(*given)
        if found is None or not found.places:
            return found
        return replace(found, order=tuple(reversed(range(prod(found.grid)))))

    monkeypatch.setattr(known, "arrangement", turned)
    found = checked(plain_net())
    assert found.places == {"known": 0, "guessed": 0, "wrong": 2, "no place": 3}
    assert [name for name, message in found.faults if "wrong place" in message] == ["0", "1"]


def test_a_model_whose_values_cannot_be_followed_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody then knows where its maps belong."""

    def lost(*_: object) -> None:
        raise NotImplementedError("no rule")

    monkeypatch.setattr(soundness_module, "placings", lost)
    found = checked(plain_net())
    assert found.places == {}
    assert found.faults == (("", "could not be followed: NotImplementedError: no rule"),)


@pytest.mark.parametrize(
    ("kind", "changing"),
    [("_forward_hooks", list(MODES)), ("_forward_pre_hooks", [mode for mode in MODES if mode != "outputs"])],
)
def test_modes_that_change_the_output_are_named(kind: str, changing: list[str]) -> None:
    """Only those do that register the hooks that the model notices."""
    found = checked(Notices(kind))
    assert [mode for mode, outcome in found.modes.items() if outcome != "unchanged"] == changing
    assert [message.split(" changes")[0] for _, message in found.faults] == [
        f"capturing {mode}" for mode in changing
    ]
    assert all("by up to 1" in outcome for outcome in found.modes.values() if outcome != "unchanged")


def test_gradients_that_would_take_too_much_memory_are_not_tried() -> None:
    """The modes say so, which is no fault."""
    found = checked(plain_net(), graph_limit=100)
    assert list(found.modes.values()) == ["unchanged", "unchanged", "too large", "too large"]
    assert found.faults == ()
    assert GRAPH_LIMIT > 1 << 30


def test_gradients_for_which_memory_runs_out_are_too_large() -> None:
    """The cost of capturing is an estimate, and the process has a bound of its own."""

    class Greedy(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2d(3, 4, 3)

        def forward(self, images: Tensor) -> Tensor:
            maps: Tensor = self.conv(images)
            return torch.empty(1 << 50) if torch.is_grad_enabled() else maps

    found = checked(Greedy())
    assert list(found.modes.values()) == ["unchanged", "unchanged", "too large", "too large"]
    assert found.faults == ()


def test_a_model_that_cannot_run_with_gradients_is_told_from_one_that_capturing_breaks() -> None:
    """The first fails by itself; the second only where its output has been captured."""

    class Graphless(nn.Module):
        def __init__(self, broken: bool) -> None:
            super().__init__()
            self.conv, self.broken = nn.Conv2d(3, 4, 3), broken

        def forward(self, images: Tensor) -> Tensor:
            maps: Tensor = self.conv(images)
            if torch.is_grad_enabled() and (not self.broken or self.conv._forward_hooks):
                raise RuntimeError("no graph")
            return maps

    alone, broken = checked(Graphless(broken=False)), checked(Graphless(broken=True))
    assert list(alone.modes.values()) == ["unchanged", "unchanged", "no gradients", "no gradients"]
    assert alone.faults == ()
    assert broken.modes["gradients"] == "RuntimeError: no graph"
    assert len(broken.faults) == 2
