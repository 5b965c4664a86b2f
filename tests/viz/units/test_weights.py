import pytest
import torch
from torch import nn

from viz.units.weights import kernels_of, strengths

LAYERS = (
    nn.Conv2d(4, 6, 3),
    nn.Conv2d(4, 6, 3, groups=2),
    nn.Conv2d(4, 4, 3, groups=4),
    nn.ConvTranspose2d(4, 6, 3, groups=2),
    nn.Linear(4, 6),
)


@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_an_output_changes_through_the_kernels_that_are_told_and_no_others(layer: nn.Module) -> None:
    """One input channel alone, of ones: the output is zero exactly where the strength is."""
    shape = (1, 4) if isinstance(layer, nn.Linear) else (1, 4, 5, 5)
    for place in range(4):
        inputs = torch.zeros(shape)
        inputs[:, place] = torch.rand(shape[2:]) + 0.5
        with torch.no_grad():
            change = (layer(inputs) - layer(torch.zeros(shape)))[0]
        seen = strengths(layer, [place])
        assert seen is not None
        assert (
            change.flatten(1).abs().sum(1) > 1e-6 if change.ndim > 1 else change.abs() > 1e-6
        ).tolist() == (seen > 0).tolist()
        for channel in range(len(change)):
            kernels = kernels_of(layer, channel)
            assert kernels is not None
            own = place - kernels.first
            norm = float(kernels.norms[own]) if 0 <= own < len(kernels.values) else 0.0
            assert norm == pytest.approx(float(seen[channel]))


def test_several_places_count_together() -> None:
    """As one long vector: a flattened map that a linear layer reads."""
    layer = nn.Linear(6, 3)
    found = strengths(layer, [1, 2])
    assert found is not None
    assert found.tolist() == pytest.approx(layer.weight[:, 1:3].double().square().sum(1).sqrt().tolist())


def test_layers_without_such_weights_have_none() -> None:
    """A norm scales channels, and an attention's weights belong to no single input."""
    for layer in (nn.ReLU(), nn.BatchNorm2d(4), nn.MultiheadAttention(4, 2)):
        assert kernels_of(layer, 0) is None
        assert strengths(layer, [0]) is None
