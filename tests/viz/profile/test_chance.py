"""Nets that draw in evaluation mode are noticed, and from where on; others cost no pass."""

import os
import random
import time
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.viz.subjects import Counting, prepare, subject
from viz.hooks.activations import LayerActivations
from viz.passes.loaded import loaded_model
from viz.profile.rows import first_of_chance

DRAWS: dict[str, Callable[[Tensor], Tensor]] = {
    "a dropout that nobody switches off": nn.functional.dropout,
    "noise of torch": lambda x: x + torch.randn_like(x) * 1e-3,
    "noise of NumPy": lambda x: x + float(np.random.rand()),  # noqa: NPY002  (what such nets call)
    "noise of Python": lambda x: x * random.random(),
    "an order": lambda x: x.flatten(2)[..., torch.randperm(64)].view_as(x),
    "NumPy's new generator": lambda x: x + float(np.random.default_rng().random()),
    "a generator of the module, of NumPy": lambda x: x + float(NUMBERS.random()),
    "a generator of the module, of Python": lambda x: x * CHANCE.random(),
    "a generator of the module, of torch": lambda x: x + torch.rand((), generator=GENERATOR),
    "Python's new generator": lambda x: x * random.Random().random(),
    "the system's numbers": lambda x: x * int.from_bytes(os.urandom(2), "big"),
    "the clock": lambda x: x * (time.perf_counter_ns() % 1009),
    "a state of the module": lambda x: x * _next(),
}
NUMBERS, CHANCE, GENERATOR = np.random.default_rng(0), random.Random(0), torch.Generator()
PASSES: list[int] = []


def _next() -> int:
    """One more than in the last pass."""
    PASSES.append(1)
    return len(PASSES)


class Deciding(nn.Module):
    """Returns the place of the largest of its scores, which nothing changes, behind a layer that differs."""

    def __init__(self) -> None:
        super().__init__()
        self.noise, self.largest = nn.Identity(), nn.Flatten()

    def forward(self, images: Tensor) -> Tensor:
        """Return one number for each of the images (N, 3, 8, 8)."""
        self.noise(images + _next())
        return self.largest(images[:, :, 0, 0]).argmax(1)


class Noisy(nn.Module):
    """Three convolutions; what the second one is given is what a function makes of it."""

    def __init__(self, draw: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.draw = draw
        self.first, self.second, self.third = (nn.Conv2d(3, 3, 3, padding=1) for _ in range(3))

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, 8, 8)."""
        scores: Tensor = self.third(self.second(self.draw(self.first(images)))).mean((2, 3))
        return scores


class Building(nn.Module):
    """Makes layers in its first passes, behind one that it has, and uses the first of them.

    Args:
        draw: makes what the made layer is given of what the other one returned.
        count: how many passes make a layer.
    """

    def __init__(self, draw: Callable[[Tensor], Tensor], count: int) -> None:
        super().__init__()
        self.draw, self.count = draw, count
        self.first, self.made = nn.Conv2d(3, 3, 3), nn.ModuleList()

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, 8, 8)."""
        if len(self.made) < self.count:
            self.made.append(nn.Conv2d(3, 3, 3))
        scores: Tensor = self.made[0](self.draw(self.first(images))).mean((2, 3))
        return scores


def rows_of(net: nn.Module) -> dict[str, bool]:
    """Each layer, and whether it is marked."""
    loaded = loaded_model(subject(net), LayerActivations(net, "cpu", repeatable=True))
    return {row.name: row.chance for row in loaded.rows}


@pytest.mark.parametrize("name", DRAWS)
def test_layers_behind_a_draw_are_marked_and_those_before_are_not(name: str) -> None:
    """The source of the random numbers does not matter."""
    found = rows_of(Noisy(DRAWS[name]))
    assert (found["first"], found["second"], found["third"]) == (False, True, True)


def test_a_layer_that_differs_is_marked_though_the_result_does_not() -> None:
    """Its maps are others each time."""
    assert rows_of(Deciding()) == {"noise": True, "largest": False, "› add": True} | dict.fromkeys(
        ["› getitem", "› argmax"], False
    )


def test_a_state_that_is_reached_in_the_second_pass_and_stays_is_marked() -> None:
    """All passes but the survey's are alike."""
    seen: list[int] = []

    def grown(x: Tensor) -> Tensor:
        seen.append(1)
        return x * min(len(seen), 2)

    found = rows_of(Noisy(grown))
    assert (found["first"], found["second"], found["third"]) == (False, True, True)


@pytest.mark.parametrize("count", [1, 2, 100])
@pytest.mark.parametrize(("draw", "differs"), [(nn.Identity(), False), (lambda x: x * _next(), True)])
def test_a_net_that_makes_layers_in_its_passes_opens(
    draw: Callable[[Tensor], Tensor], count: int, *, differs: bool
) -> None:
    """The survey's record lacks what its pass makes, and has what the pass before made."""
    found = rows_of(Building(draw, count))
    assert (found["first"], found["made.0"], found["› mean"]) == (False, differs, differs)


def test_the_first_place_is_named_even_if_it_is_an_operation() -> None:
    """The functional dropout itself, before the layer that is given its output."""
    net = Noisy(nn.functional.dropout)
    loaded = loaded_model(subject(net), LayerActivations(net, "cpu"))
    assert first_of_chance(loaded.rows) == "› dropout"


@pytest.mark.parametrize(
    "draw",
    [
        lambda x: x,
        lambda x: x + 0 * torch.rand(()),
        lambda x: x + torch.rand(8, generator=torch.Generator().manual_seed(0)),
    ],
)
def test_a_net_without_chance_has_no_mark(draw: Callable[[Tensor], Tensor]) -> None:
    """Also if it draws and does nothing with it, or draws the same each time."""
    assert not any(rows_of(Noisy(draw)).values())


def test_a_net_that_does_not_draw_runs_no_more_often() -> None:
    """The survey's pass tells, and two that see what looking changes; torch's generator is as it was."""
    net = Counting()
    before = torch.get_rng_state()
    loaded_model(subject(net), LayerActivations(net, "cpu")).check_looking(inputs=False, gradients=False)
    assert net.passes == 1 + 2
    assert torch.equal(torch.get_rng_state(), before)


def test_torchs_generator_is_left_where_the_survey_left_it() -> None:
    """The passes that are compared draw numbers of their own."""
    net = Noisy(nn.functional.dropout).eval()
    torch.manual_seed(3)
    loaded_model(subject(net), LayerActivations(net, "cpu"))
    found = torch.rand(3)
    torch.manual_seed(3)
    with torch.no_grad():
        net(prepare(subject(net).as_seen(torch.zeros(1, 3, 8, 8))))
    assert torch.equal(found, torch.rand(3))
