"""Layers that return something given instead of running."""

from functools import partial

import pytest
import torch
from torch import Tensor, nn

from viz import LayerActivations
from viz.passes.resumed.stand_ins import StandIns

GIVEN = torch.full((1, 3), 7.0)


def net() -> nn.Sequential:
    """Three linear layers in a row."""
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 3))


def test_a_layer_returns_what_is_given_and_its_hooks_see_it() -> None:
    """The layers after it are computed from it, and a capture has it."""
    layers = LayerActivations(model := net(), "cpu")
    with layers.trace(partial(StandIns, given={model[1]: GIVEN}), "1"), layers.capture("1") as record:
        output = layers.run(torch.zeros(1, 3))
    assert torch.equal(record["1"].output, GIVEN)
    with torch.no_grad():
        assert torch.equal(output, model[2](GIVEN))


def test_outside_of_runs_and_afterwards_layers_are_their_own() -> None:
    """Also a ``forward`` that somebody had put on one layer, and also if the run fails."""
    layers = LayerActivations(model := net(), "cpu")
    own = model[0].forward = lambda given: given + 1  # type: ignore[method-assign, assignment]
    given = {model[0]: GIVEN, model[1]: GIVEN}
    with layers.trace(partial(StandIns, given=given), "0"):
        assert model[0](torch.zeros(1, 3)).sum() == 3
        assert torch.equal(layers.run(torch.zeros(1, 3), until="0"), GIVEN)
        with pytest.raises(TypeError):
            layers.run()
        assert model[0](torch.zeros(1, 3)).sum() == 3
    assert model[0].forward is own
    assert "forward" not in vars(model[1])


def test_what_has_no_values_cannot_become_a_number() -> None:
    """A tensor with a shape alone makes whatever reads it fail, or be without values itself."""

    class Reads(nn.Module):
        """Adds two layers' outputs."""

        def __init__(self) -> None:
            super().__init__()
            self.one, self.two = nn.Linear(3, 3), nn.Linear(3, 3)

        def forward(self, given: Tensor) -> Tensor:
            """Return the sum of both."""
            found: Tensor = self.one(given) + self.two(given)
            return found

    layers = LayerActivations(model := Reads(), "cpu")
    hollow = torch.empty(1, 3, device="meta")
    with layers.trace(partial(StandIns, given={model.one: hollow}), "one"):
        try:
            output = layers.run(torch.zeros(1, 3))
        except RuntimeError:
            return
    assert output.is_meta
