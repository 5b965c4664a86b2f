"""Outputs of stages: kept as long as nothing writes into them."""

import torch
from torch import Tensor, nn

from viz import LayerActivations
from viz.passes.resumed.keeping import OutputKeeper


def found(model: nn.Module, *names: str) -> dict[str, Tensor]:
    """Return the outputs that are kept of a run on ones (1, 4)."""
    layers = LayerActivations(model, "cpu")
    with layers.trace(OutputKeeper, *names) as keeping:
        layers.run(torch.ones(1, 4))
    return keeping.found()


def test_what_layers_returned_is_kept_in_memory_of_its_own() -> None:
    """Later changes of the model's own tensors do not reach it."""
    torch.manual_seed(0)
    layers = LayerActivations(model := nn.Sequential(nn.Linear(4, 4), nn.ReLU()), "cpu")
    with layers.trace(OutputKeeper, "0", "1") as keeping:
        output = layers.run(torch.ones(1, 4))
    kept = keeping.found()
    with torch.no_grad():
        assert torch.equal(kept["0"], model[0](torch.ones(1, 4)))
    before = output.clone()
    output.zero_()
    assert torch.equal(kept["1"], before)


def test_what_another_layer_writes_into_is_not_kept() -> None:
    """As an in-place ReLU does; it returns the same memory, which is as it left it."""
    kept = found(nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True), nn.Linear(4, 4)), "0", "1", "2")
    assert sorted(kept) == ["1", "2"]


def test_of_something_large_only_the_returned_part_is_kept() -> None:
    """Otherwise all of it would stay, and nobody would count it."""

    class Part(nn.Module):
        """The first column of many."""

        def forward(self, given: Tensor) -> Tensor:
            """Return (1, 1)."""
            return given.repeat(1, 1000)[:, :1]

    kept = found(nn.Sequential(Part()), "0")["0"]
    assert (kept.tolist(), kept.untyped_storage().nbytes()) == ([[1.0]], 4)
