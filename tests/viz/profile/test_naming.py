"""Layers whose channels are the classes: tiny nets with one hazard each, and every kind of real ones."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

import models
from tests.viz.subjects import photo
from viz.hooks.activations import LayerActivations
from viz.profile.naming import named_calls
from viz.profile.rows import NamedCall
from viz.profile.tree import survey

CLASSES = 5
IDS = (
    *["plain", "dict", "identity", "more", "in_place", "turned", "zeros", "softmax"],
    *["function", "fewer", "sum", "maps", "maximum"],
)
IMAGES = torch.rand(1, 3, 8, 8, generator=torch.Generator().manual_seed(3))


class Net(nn.Module):
    """A convolution and two linear layers, each with as many numbers as classes; then what is asked."""

    def __init__(self, then: Callable[[Tensor, "Net"], object]) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv, self.hidden, self.last = (
            nn.Conv2d(3, 4, 3),
            nn.Linear(4, CLASSES),
            nn.Linear(CLASSES, CLASSES),
        )
        self.softmax, self.twin, self.wide = nn.Softmax(1), nn.Identity(), nn.Conv2d(3, CLASSES, 3)
        self.then = then

    def forward(self, images: Tensor) -> object:
        """Return what ``then`` makes of the scores (1, classes)."""
        pooled = self.conv(images).mean((2, 3))
        return self.then(self.last(self.hidden(pooled).relu()), self)


def found(then: Callable[[Tensor, Net], object]) -> list[tuple[str, int, bool]]:
    """The calls that name the classes of such a net."""
    layers = LayerActivations(Net(then), "cpu")
    rows = survey(layers, IMAGES)
    return [tuple(call) for call in named_calls(layers, rows, (IMAGES,), CLASSES)]


def bilinear(net: Net, images: Tensor) -> dict[str, Tensor]:
    """Maps for each class, enlarged, as a segmentation returns them."""
    return {"out": functional.interpolate(net.wide(images), (12, 12), mode="bilinear", align_corners=False)}


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        (lambda scores, _: scores, [("last", 0, True)]),
        (lambda scores, _: {"logits": scores}, [("last", 0, True)]),
        (lambda scores, net: net.twin(scores), [("last", 0, True), ("twin", 0, True)]),
        (lambda scores, _: scores + 1, []),
        (lambda scores, _: scores.mul_(2), []),
        (lambda scores, _: scores.flip(1), []),
        (lambda scores, _: torch.zeros_like(scores), []),
        (lambda scores, net: net.softmax(scores), [("last", 0, True), ("softmax", 0, False)]),
        (lambda scores, _: scores.softmax(1), [("last", 0, True)]),
        (lambda scores, _: scores[:, :4], []),
        (lambda scores, _: scores.sum(), []),
        (lambda _, net: bilinear(net, IMAGES), [("wide", 0, True)]),
        (lambda _, net: net.wide(IMAGES).amax((2, 3)), []),
    ],
    ids=IDS,
)
def test_only_what_the_output_is_made_of_channel_by_channel_names_the_classes(
    then: Callable[[Tensor, Net], object], expected: list[tuple[str, int, bool]]
) -> None:
    """A layer of as many numbers is no proof; nor is one that somebody changes after it."""
    assert found(then) == expected


def test_a_model_without_such_a_layer_is_not_even_run() -> None:
    """No shape fits the number of classes."""
    layers = LayerActivations(Net(lambda scores, _: scores), "cpu")
    assert named_calls(layers, survey(layers, IMAGES), (), 1000) == ()


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("lenet", ["fc3"]),
        ("photonet", ["fc"]),
        ("patchformer", ["head"]),
        ("efficientnet_lite0", ["head.fc", "head"]),
        ("squeezenet1_1", ["classifier.3", "classifier"]),
        ("lraspp_mobilenet_v3_large", ["classifier"]),
    ],
)
def test_real_models_name_their_classes_where_their_output_is_made(model: str, expected: list[str]) -> None:
    """Classifiers with and without a linear layer, and a segmentation, whose maps are enlarged."""
    card, module = models.describe(model), models.load(model, "random")
    layers, arguments = LayerActivations(module, "cpu"), (card.preprocessing(photo(1).image),)
    calls = named_calls(layers, survey(layers, *arguments), arguments, len(card.classes))
    assert calls == tuple(NamedCall(name, 0, scores=True) for name in expected)
