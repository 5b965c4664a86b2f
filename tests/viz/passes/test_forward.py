"""One pass of a subject: what comes home as arrays, and under which names."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.viz.subjects import CLASSES, Counting, by_hand, photo, prepare, subject
from viz.errors import CallError, UnknownLayerError
from viz.findings.values import LayerValues, Leaf
from viz.hooks.activations import LayerActivations
from viz.passes.forward import capture, predict, survey_subject
from viz.pictures.subject import Subject


class Returning(nn.Module):
    """A net whose only layer returns what a function makes of the images."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.layer = nn.Identity()
        self.layer.forward = function  # type: ignore[method-assign]

    def forward(self, images: Tensor) -> Any:
        """Return whatever the layer returns."""
        return self.layer(images)


class Block(nn.Module):
    """A block whose output is that of its last layer, and a flattening behind it, which moves nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.block = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(inplace=True))
        self.flatten, self.added = nn.Flatten(), nn.ReLU(inplace=True)

    def forward(self, images: Tensor) -> Tensor:
        """Return (N, 144) of images (N, 3, 8, 8), one added to each at the end, in place."""
        found: Tensor = self.flatten(self.block(images))
        return self.added(found.add_(1))


def captured(function: Any) -> dict[str, Leaf]:
    """The one call of a layer that returns what ``function`` makes of the images (1, 3, 8, 8)."""
    made = subject(Returning(function))
    return capture(LayerActivations(made.module, "cpu"), made.arguments(photo(1).image), ["layer"])[
        "layer"
    ].call(0)


def predicted(function: Any) -> tuple[tuple[str, float], ...]:
    """The best predictions of a model that returns what ``function`` makes of the images."""
    made = subject(Returning(function))
    return predict(LayerActivations(made.module, "cpu"), made, photo(1)).top


@pytest.fixture
def counting() -> tuple[LayerActivations, Subject]:
    """The net of two convolutions, with its hooks."""
    made = subject(Counting())
    return LayerActivations(made.module, "cpu"), made


def test_all_layers_come_from_one_pass(counting: tuple[LayerActivations, Subject]) -> None:
    """Every call of every layer, as computed by hand."""
    layers, made = counting
    found = capture(layers, made.arguments(photo(1).image), layers.select())
    assert made.module.passes == 1
    for name, expected in by_hand(photo(1)).items():
        assert len(found[name].calls) == len(expected)
        for call, array in enumerate(expected):
            np.testing.assert_allclose(found[name].call(call)["output"].array, array, rtol=1e-4, atol=1e-6)


def test_a_pass_ends_where_it_is_told_to(counting: tuple[LayerActivations, Subject]) -> None:
    """It ends after that call of that layer; no later layer runs."""
    layers, made = counting
    found = capture(layers, made.arguments(photo(1).image), ["relu"], ("relu", 0))
    assert len(found["relu"].calls) == 1
    assert made.module.steps == {"first": 1, "relu": 1}


def test_inputs_come_along_on_request(counting: tuple[LayerActivations, Subject]) -> None:
    """Beside the output, under ``inputs``, as they were before the layer wrote to them."""
    layers, made = counting
    call = capture(layers, made.arguments(photo(1).image), ["relu"], inputs=True)["relu"].call(0)
    assert list(call) == ["output", "inputs[0]"]
    np.testing.assert_allclose(call["inputs[0]"].array, by_hand(photo(1))["first"][0], rtol=1e-4, atol=1e-6)


def test_an_unknown_layer_is_refused(counting: tuple[LayerActivations, Subject]) -> None:
    """Before anything runs."""
    layers, made = counting
    with pytest.raises(UnknownLayerError):
        capture(layers, made.arguments(photo(1).image), ["third"])
    assert made.module.passes == 0


def test_structures_come_apart_into_named_tensors() -> None:
    """Tuples, dicts and what is in them; what holds no tensor is left out."""
    found = captured(lambda images: (images, {"mean": images.mean(), "name": "x"}, None, [images[0]]))
    shapes = {path: leaf.array.shape for path, leaf in found.items()}
    assert shapes == {"output[0]": (1, 3, 8, 8), "output[1]['mean']": (), "output[3][0]": (3, 8, 8)}


def test_half_precision_keeps_its_name_and_its_values() -> None:
    """NumPy has no bfloat16, so its values come as float32, which holds each of them."""
    leaf = captured(lambda images: images.to(torch.bfloat16))["output"]
    assert (leaf.dtype, leaf.array.dtype) == ("bfloat16", np.float32)
    expected = prepare(photo(1).image).to(torch.bfloat16).to(torch.float32).numpy()
    np.testing.assert_array_equal(leaf.array, expected)


def test_a_tensor_that_is_no_array_leaves_its_reason() -> None:
    """The others of the same call are there."""
    found = captured(lambda images: (images, images.to("meta")))
    assert "meta" in found["output[1]"].problem
    assert not found["output[0]"].problem


def test_a_layer_that_returns_nothing_has_a_call_without_tensors() -> None:
    """It ran, and that is told apart from not having run."""
    assert captured(lambda _: None) == {}


def test_calls_are_told_from_one() -> None:
    """In sentences for people, calls are counted from 1."""
    found = LayerValues("layer", "ReLU", "cpu", ({}, {}))
    with pytest.raises(CallError, match="layer ran 2 times for this input, so there is no call 3"):
        found.call(2)
    with pytest.raises(CallError, match="has no output"):
        LayerValues("layer", "ReLU", "cpu", ()).call(0)


def test_the_bytes_are_those_of_the_arrays() -> None:
    """Every tensor of every call; one that is there twice takes its memory once."""
    a, b, c = (Leaf(np.zeros((2, 3), np.float64), "float64") for _ in range(3))
    assert LayerValues("layer", "ReLU", "cpu", ({"a": a, "b": b}, {"c": c})).bytes == 3 * 48
    assert LayerValues("layer", "ReLU", "cpu", ({"a": a, "b": b}, {"c": a})).bytes == 2 * 48


def test_the_survey_needs_no_picture(counting: tuple[LayerActivations, Subject]) -> None:
    """Shapes do not depend on it."""
    rows = {row.name: row for row in survey_subject(*counting)}
    assert rows["second"].shapes == ((1, 3, 4, 4),)
    assert rows["last"].calls == 2
    assert rows["last"].aliases == ("also",)


def test_predictions_are_sorted_and_sum_to_one() -> None:
    """Shares of a softmax over all classes."""
    scores = torch.tensor([[1.0, 3.0, 2.0]])
    names, shares = zip(*predicted(lambda _: scores), strict=True)
    assert names == (CLASSES[1], CLASSES[2], CLASSES[0])
    np.testing.assert_allclose(shares, torch.softmax(scores[0], 0).sort(descending=True).values, rtol=1e-6)


def test_large_scores_do_not_overflow() -> None:
    """The exponential of a thousand would be infinite."""
    assert predicted(lambda _: torch.tensor([[1000.0, 0.0, -1000.0]]))[0] == (CLASSES[0], 1.0)


@pytest.mark.parametrize(
    "function",
    [
        lambda images: images,
        lambda _: torch.zeros(1, 4),
        lambda _: torch.zeros(2, 3),
        lambda _: {"out": torch.zeros(1, 3), "aux": torch.zeros(1, 3)},
        lambda _: None,
        lambda _: torch.tensor([[1.0, float("nan"), 0.0]]),
        lambda _: torch.tensor([[1.0, float("inf"), 0.0]]),
    ],
    ids=["maps", "other classes", "two rows", "two of them", "nothing", "NaN", "Inf"],
)
def test_what_is_not_one_score_for_each_class_is_no_prediction(function: Any) -> None:
    """No prediction is better than a false one."""
    assert predicted(function) == ()


def test_tensors_that_lie_in_the_same_memory_are_one_array_and_right_all_the_same() -> None:
    """The convolution's output is overwritten, and the block's later on: what they were comes from copies."""
    torch.manual_seed(0)
    made, seen = subject(Block()), dict[str, Tensor]()
    layers = LayerActivations(made.module, "cpu")
    for name, module in made.module.named_modules():
        module.register_forward_hook(lambda *told, name=name: seen.update({name: told[2].clone()}))
    images = made.arguments(photo(1).image)
    found = capture(layers, images, ["block.0", "block.1", "block", "flatten", "added"])
    for name, values in found.items():
        array = values.call(0)["output"].array
        assert array.shape == seen[name].shape
        np.testing.assert_array_equal(array, seen[name].numpy())
        assert not array.flags.writeable
    assert found["block"].memory == found["block.1"].memory == found["flatten"].memory
    size = seen["block"].nbytes
    pieces = {piece: taken for values in found.values() for piece, taken in values.memory.items()}
    assert sum(pieces.values()) == 3 * size  # the convolution's, the block's, and that with one added


def test_scores_in_an_object_that_the_model_keeps_are_predicted() -> None:
    """The object is put back when the pass ends, and the caller has another one."""
    out = SimpleNamespace(logits=None)

    def scored(images: Tensor) -> SimpleNamespace:
        out.logits = images.mean((2, 3))
        return out

    made = subject(Returning(scored))
    made.module.out = out
    found = predict(LayerActivations(made.module, "cpu", repeatable=True), made, photo(1)).top
    assert found == predicted(lambda images: images.mean((2, 3)))
    assert out.logits is None
