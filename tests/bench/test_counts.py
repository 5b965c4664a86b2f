"""Costs of the main ways through the product: counted right, and no more than was committed."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from bench.counts.comparison import Pair, pairs, table
from bench.counts.meter import Meter
from tests.machine import patience, took_less
from viz.hooks.activations import LayerActivations
from viz.maps.checked import checked_maps
from viz.request.arrangement import Lattice

ROOT = Path(__file__).parents[2]
SECONDS = 30.0  # of the processor, for all counts


class Net(nn.Sequential):
    """Three layers, one in another."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return what the last layer returns."""
        for layer in self:
            images = layer(images)
        return images


@pytest.fixture
def meter() -> Iterator[Meter]:
    """A meter for the net, which is off again after the test."""
    with Meter(Net.forward.__code__) as meter:
        yield meter


def test_no_way_takes_a_fifth_more_than_was_committed() -> None:
    """In a process of its own; whoever means to take more writes ``bench/counts.json`` anew and says why."""
    if not hasattr(os, "fork"):
        pytest.skip("a class is counted in processes apart, which are copies of a nursery")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "bench.counts"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=patience(120),
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stdout + done.stderr
    assert took_less(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, SECONDS)


def test_a_pass_and_its_hooks_are_counted_as_torch_has_them(meter: Meter) -> None:
    """Two runs under a capture of three layers: the hooks that the layers then have, counted by hand."""
    net = Net(nn.Conv2d(3, 4, 3), nn.Sequential(nn.ReLU()))
    layers = LayerActivations(net, device="cpu")
    with meter.counting() as counts, layers.capture():
        hooks = sum(len(layer._forward_hooks) + len(layer._forward_pre_hooks) for layer in net.modules())
        for _ in range(2):
            layers.run(torch.rand(1, 3, 8, 8))
    assert (counts["passes"], counts["hooks"], counts["backward passes"]) == (2, hooks, 0)


def test_a_backward_pass_is_counted(meter: Meter) -> None:
    """One call of ``backward``, whatever it goes through."""
    score = nn.Linear(3, 1)(torch.rand(1, 3)).sum()
    with meter.counting() as counts:
        score.backward()
    assert counts["backward passes"] == 1


def test_calls_that_follow_one_another_in_a_room_change_it_once(meter: Meter) -> None:
    """Maps, maps, request, maps are three changes; outside the block, nothing counts."""
    maps = np.zeros((1, 2, 2))
    with meter.counting() as counts:
        checked_maps(maps)
        checked_maps(maps)
        Lattice((0, 0), (1, 1)).covered((2, 2), (2, 2))
        checked_maps(maps)
    checked_maps(maps)
    assert counts["room changes"] == 3


def test_a_fifth_more_and_a_count_that_is_new_have_grown() -> None:
    """Less, the same and nearly a fifth more have not; what is gone has not either."""
    before = {"way": {"same": 100, "less": 100, "nearly": 100, "fifth": 100, "gone": 1}}
    now = {"way": {"same": 100, "less": 1, "nearly": 119, "fifth": 120}, "new way": {"passes": 1, "hooks": 0}}
    grown = {each.what for each in pairs(before, now) if each.has_grown}
    assert grown == {"fifth", "passes"}
    assert table([Pair("way", "fifth", 100, 120)]).endswith("| way | fifth | 100 | 120 | GROWN |")
