"""Slopes through dead rectifiers: only where nothing else gets through, and only what raises their input."""

import torch
from torch import nn

from viz.hooks.activations import LayerActivations
from viz.passes.attribution import Graph
from viz.visualised.rectifiers import rectifiers, redirected


class ByFunction(nn.Module):
    """A ReLU that is no layer."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return what is above zero."""
        return torch.relu(images)


def slope(net: nn.Module, values: list[float], weights: list[float], names: tuple[str, ...]) -> list[float]:
    """The slope of a weighted sum of what the net returns, at its input, with these rectifiers redirected."""
    layers, given = LayerActivations(net, "cpu"), torch.tensor([values], requires_grad=True)
    with redirected(layers, names), layers.trace(Graph, ""), torch.enable_grad():
        total = (layers.run(given * 1) * torch.tensor([weights])).sum()
        (found,) = torch.autograd.grad(total, given)
    return found[0].tolist()


def test_all_kinds_are_found() -> None:
    """Layers by their class; of operations those that are functions of that name."""
    net = nn.Sequential(nn.ReLU(), nn.GELU(), nn.Sequential(nn.ReLU6(), nn.Hardtanh()))
    names = ("0", "2.0", "2.1")
    assert rectifiers(LayerActivations(net, "cpu")) == names
    operations = ("1 › add", "1 › relu", "1 › relu 2", "2")
    assert rectifiers(LayerActivations(net, "cpu"), operations) == (*names, "1 › relu", "1 › relu 2")


def test_a_dead_row_passes_what_raises_it() -> None:
    """The slope of the second number would lower it; in place, and as a function, too."""
    for net, name in ((nn.Sequential(nn.ReLU()), "0"), (nn.Sequential(nn.ReLU(inplace=True)), "0"),
                      (nn.Sequential(ByFunction()), "0 › relu")):  # fmt: skip
        assert slope(net, [-1.0, -2.0], [3.0, -4.0], ()) == [0, 0]
        assert slope(net, [-1.0, -2.0], [3.0, -4.0], (name,)) == [3, 0]


def test_a_living_row_is_left_alone() -> None:
    """One number above zero is enough."""
    net = nn.Sequential(nn.ReLU())
    assert slope(net, [-1.0, 2.0], [3.0, 4.0], ("0",)) == slope(net, [-1.0, 2.0], [3.0, 4.0], ()) == [0, 4]


def test_a_rectifier_that_runs_twice_is_redirected_each_time() -> None:
    """The first run is dead; the second one, whose bias brings it to life, is not."""

    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.relu = nn.ReLU()

        def forward(self, images: torch.Tensor) -> torch.Tensor:
            return self.relu(self.relu(images) + 1)

    assert slope(Twice(), [-1.0], [5.0], ()) == [0]
    assert slope(Twice(), [-1.0], [5.0], ("relu",)) == [5]
