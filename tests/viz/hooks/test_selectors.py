"""Selectors: which layers they select, and the error if they select none."""

import pytest
import torch
from torch import nn

from tests.viz.nets import Plain, Reused, Shared
from viz.errors import UnknownLayerError, UnsupportedModelError
from viz.hooks.activations import LayerActivations

BLOCKS = nn.Sequential(nn.Sequential(Reused(), Reused()), nn.Linear(3, 3))
LAYERS = LayerActivations(BLOCKS, device="cpu")


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("0.1.relu", ("0.1.relu",)),
        (nn.Conv2d, ("0.0.conv1", "0.0.conv2", "0.1.conv1", "0.1.conv2")),
        (nn.Sequential, ("0",)),
        (lambda name, layer: name.endswith("1") and not isinstance(layer, nn.Conv2d), ("0.1", "1")),
        (1, ("1",)),
        (-2, ("0",)),
        (BLOCKS[0][1], ("0.1",)),
    ],
)
def test_a_selector_gives_names_in_definition_order(selector: object, names: tuple[str, ...]) -> None:
    """By name, class, predicate, index, and by the layer itself."""
    assert LAYERS.select(selector) == names


def test_several_selectors_give_each_layer_once() -> None:
    """A layer that two selectors mean appears where it was meant first."""
    assert LAYERS.select("1", "0.0.relu", nn.Linear) == ("1", "0.0.relu")


def test_names_are_every_layers_in_definition_order() -> None:
    """The same as named_modules gives, without the model itself."""
    assert LAYERS.names == tuple(name for name, _ in BLOCKS.named_modules())[1:]


def test_a_shared_layer_is_selected_once_by_class_and_by_each_of_its_names() -> None:
    """Its first name stands for it, unless another one was asked for."""
    layers = LayerActivations(Shared(), device="cpu")
    assert layers.select(nn.Linear) == ("encode",)
    assert layers.select("decode") == ("decode",)
    assert layers.select("encode", "decode") == ("encode",)
    assert layers.module("decode") is layers.module("encode")


def test_the_same_layer_twice_in_a_sequential_keeps_its_indices() -> None:
    """An index counts places, not layers."""
    relu = nn.ReLU()
    layers = LayerActivations(nn.Sequential(relu, nn.Linear(2, 2), relu, nn.Linear(2, 3)), device="cpu")
    assert [layers.select(index) for index in range(4)] == [("0",), ("1",), ("2",), ("3",)]


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("conv", r"no layer named 'conv'; did you mean conv1, conv2\?"),
        ("conv3", "did you mean conv1, conv2"),
        ("Pool", r"did you mean pool\?"),
        ("zzz", "there are: conv1, conv2, pool, fc"),
        ("nowhere › add", "no layer named 'nowhere'"),
        (3, "this model is a Plain"),
        (nn.LSTM, "no layer of class LSTM; the model has layers of class AdaptiveAvgPool2d, Conv2d, Linear"),
        (lambda *_: False, "predicate"),
        (nn.Linear(1, 1), "this Linear"),
        (None, "None selects no layer"),
        (dict, "selects no layer"),
        (1.5, "selects no layer"),
    ],
)
def test_a_selector_that_means_nothing_says_what_there_is(selector: object, said: str) -> None:
    """With the nearest names, in definition order."""
    with pytest.raises(UnknownLayerError, match=said):
        LayerActivations(Plain(), device="cpu").select(selector)


@pytest.mark.parametrize("index", [2, -3])
def test_an_index_outside_the_sequential_says_how_many_there_are(index: int) -> None:
    """This holds for indices from either end."""
    with pytest.raises(UnknownLayerError, match="the Sequential has 2"):
        LAYERS.select(index)


@pytest.mark.filterwarnings(
    "ignore:.*torch.jit.script.*:FutureWarning", "ignore:.*torch.jit.script.*:DeprecationWarning"
)
def test_a_scripted_layer_inside_a_model_is_passed_by_or_refused() -> None:
    """Everything else can be captured; asked for by name, it is refused in plain words."""
    model = nn.Sequential(nn.Linear(2, 2), torch.jit.script(nn.Linear(2, 2)))
    layers = LayerActivations(model, device="cpu")
    with layers.capture() as record:
        layers.run(torch.ones(1, 2))
    assert record.names == ("0",)
    with pytest.raises(UnsupportedModelError, match="TorchScript"):
        layers.select("1")


@pytest.mark.parametrize("values", [torch.zeros(2, 3), torch.zeros(2, 3).numpy()], ids=["tensor", "array"])
def test_an_array_given_as_a_name_is_answered_with_its_shape(values: object) -> None:
    """And with none of its values."""
    with pytest.raises(UnknownLayerError, match=r"^\w+ of shape \(2, 3\) selects no layer: give a name"):
        LAYERS.select(values)
