"""The chain of a model: few links, in the order in which it runs, and none of its layers lost."""

import pytest
import torch
from torch import nn

import models
from tests.viz.nets import Reused
from viz.hooks.activations import LayerActivations
from viz.profile.chain import FEW, MOST, chain
from viz.profile.tree import survey


def links(model: nn.Module, *shape: int) -> list[tuple[str, ...]]:
    """The layers of each link."""
    return [link.layers for link in chain(survey(LayerActivations(model), torch.zeros(shape)))]


def test_the_chain_of_the_first_model_is_its_stages() -> None:
    """Nobody has to unfold anything to see it."""
    found = links(models.load("efficientnet_lite0", weights="random"), 1, 3, 224, 224)
    assert found == [("stem",), *((f"stage{place}",) for place in range(1, 8)), ("head",)]


def test_single_layers_are_folded_to_the_convolution_before_them() -> None:
    """The chain of a ResNet, as its paper draws it."""
    found = links(models.load("resnet18", weights="random"), 1, 3, 64, 64)
    stages = [(f"layer{place}",) for place in range(1, 5)]
    assert found == [("conv1", "bn1", "relu", "maxpool"), *stages, ("avgpool",), ("fc",)]


def test_what_prepares_an_input_belongs_to_the_layer_behind_it() -> None:
    """A link's last layer is the one that is shown, and its first one with weights gives it its name."""
    found = chain(survey(LayerActivations(models.load("lenet", weights="random")), torch.zeros(1, 3, 32, 32)))
    assert [link.layers[0] for link in found] == ["conv1", "conv2", "flatten", "fc2", "fc3"]
    assert [link.main for link in found] == ["conv1", "conv2", "fc1", "fc2", "fc3"]
    assert [link.last for link in found] == ["pool1", "pool2", "relu3", "relu4", "fc3"]


def test_a_model_of_few_blocks_is_opened_and_one_of_many_folded() -> None:
    """MobileNetV2 has two outermost layers, and nineteen in the first of them."""
    found = links(models.load("mobilenet_v2", weights="random"), 1, 3, 64, 64)
    assert FEW <= len(found) <= MOST
    assert found[0] == ("features.0",)
    assert found[-1] == ("classifier",)
    inside = [layer for link in found[:-1] for layer in link]
    assert inside == [f"features.{place}" for place in range(19)]
    assert ("features.2", "features.3") in found  # of one shape


def test_a_list_of_layers_is_passed_over_and_a_lone_wrapper_opened() -> None:
    """Neither returns anything of its own."""

    class Listed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.steps = nn.ModuleList([nn.Conv2d(3, 3, 1) for _ in range(6)])

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for step in self.steps:
                x = step(x)
            return x

    found = links(nn.Sequential(Listed()), 1, 3, 8, 8)
    assert found == [(f"0.steps.{place}",) for place in range(6)]


def test_what_runs_several_times_stands_where_it_first_ended() -> None:
    """It joins the convolution that it runs behind at first."""
    assert links(Reused(), 1, 3, 8, 8) == [("conv1", "relu"), ("conv2",)]


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("lenet", (1, 3, 32, 32)),
        ("photonet", (1, 3, 32, 32)),
        ("densenet121", (1, 3, 64, 64)),
        ("swin_t", (1, 3, 64, 64)),
    ],
)
def test_links_are_in_the_order_in_which_the_model_runs(name: str, shape: tuple[int, ...]) -> None:
    """Each ends before the next one, by what its layers are seen to do."""
    rows = survey(LayerActivations(models.load(name, weights="random")), torch.zeros(shape))
    ends = {row.name: row.ends[0] for row in rows if row.ends}
    places = [ends[link.last] for link in chain(rows)]
    assert FEW <= len(places) <= MOST
    assert places == sorted(places)
