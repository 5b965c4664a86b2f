"""Structures: every tensor reached by its path, everything around it of the same type."""

from collections import OrderedDict, defaultdict
from dataclasses import dataclass, fields
from types import MappingProxyType, SimpleNamespace

import numpy as np
import pytest
import torch
from torch.nn.utils.rnn import PackedSequence, pack_sequence

from tests.viz.nets import Pair, Scores, Structured
from viz.hooks.activations import LayerActivations
from viz.hooks.values.copies import kept
from viz.hooks.values.structure import exchange_tensors, leaves, map_tensors

ONE, TWO = torch.ones(2), torch.full((2,), 2.0)


@dataclass
class Output(OrderedDict):
    """A dataclass that is a dict as well, as Hugging Face's model outputs are."""

    logits: torch.Tensor | None = None
    hidden: tuple[torch.Tensor, ...] | None = None

    def __post_init__(self) -> None:
        """Put every field that is set among the items."""
        for field in fields(self):
            if getattr(self, field.name) is not None:
                super().__setitem__(field.name, getattr(self, field.name))

    def __setattr__(self, name: str, value: object) -> None:
        """Set the item too."""
        if name in self.keys() and value is not None:
            super().__setitem__(name, value)
        super().__setattr__(name, value)

    def __getitem__(self, key: object) -> object:
        """Return the item of this name, or the one in this place."""
        return super().__getitem__(key) if isinstance(key, str) else list(self.values())[key]

    def __reduce__(self) -> tuple[object, ...]:
        """Be copied by the fields, in the class's order."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


def later_logits() -> Output:
    """An output whose first field was set last, as a loss is that only some passes compute."""
    output = Output(hidden=(TWO,))
    OrderedDict.__setitem__(output, "logits", None)
    output.logits = ONE
    return output


@dataclass(frozen=True, slots=True)
class Frozen:
    """A frozen dataclass without a __dict__."""

    value: torch.Tensor


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        (ONE, ["output"]),
        ((ONE, None, TWO), ["output[0]", "output[2]"]),
        ([ONE, [TWO, (ONE,)]], ["output[0]", "output[1][0]", "output[1][1][0]"]),
        ({"out": ONE, 3: {"deep": TWO}}, ["output['out']", "output[3]['deep']"]),
        (Pair(ONE, TWO), ["output.mean", "output.spread"]),
        (Scores(ONE, "cat", (TWO,)), ["output.logits", "output.hidden[0]"]),
        (Output(logits=ONE, hidden=(TWO,)), ["output.logits", "output.hidden[0]"]),
        (later_logits(), ["output.hidden[0]", "output.logits"]),
        (Frozen(ONE), ["output.value"]),
        (SimpleNamespace(tensors=ONE, sizes=[(2, 2)]), ["output.tensors"]),
        (SimpleNamespace(layers=[SimpleNamespace(keys=ONE)]), ["output.layers[0].keys"]),
        (MappingProxyType({"a": ONE}), ["output['a']"]),
        (pack_sequence([ONE, TWO]), ["output.data"]),
        ("words", []),
        (None, []),
        ([1, (2.0, "x")], []),
    ],
)
def test_every_tensor_has_its_path(value: object, paths: list[str]) -> None:
    """In the order of the structure."""
    assert list(leaves(value)) == paths


@pytest.mark.parametrize(
    "value", [(ONE,), [ONE], {"a": ONE}, OrderedDict(a=ONE), Pair(ONE, None), Frozen(ONE)]
)
def test_a_structure_keeps_its_type_and_the_original_its_tensors(value: object) -> None:
    """The result is a new structure around new tensors."""
    doubled = map_tensors(value, lambda tensor: tensor * 2)
    assert type(doubled) is type(value)
    assert [tensor.tolist() for tensor in leaves(doubled).values()] == [[2, 2]]
    assert [tensor.tolist() for tensor in leaves(value).values()] == [[1, 1]]


def test_a_model_output_keeps_items_and_attributes_in_step() -> None:
    """It is a dict and a dataclass at once, and both hold the same values."""
    doubled = map_tensors(Output(logits=ONE), lambda tensor: tensor * 2)
    assert isinstance(doubled, Output)
    assert doubled["logits"] is doubled.logits
    assert torch.equal(doubled.logits, TWO)
    assert doubled.hidden is None


def test_a_model_output_keeps_its_own_order() -> None:
    """``output[0]`` is what was set first, not the class's first field, in a copy and in what flows on."""
    given = later_logits()
    for output in (map_tensors(given, double), kept(given), exchange_tensors(given, double)[0]):
        assert list(output) == ["hidden", "logits"]
        assert output[0] is output.hidden
        assert output[1] is output.logits


def double(tensor: torch.Tensor) -> torch.Tensor:
    """Return twice as much."""
    return tensor * 2


def test_a_defaultdict_keeps_its_default() -> None:
    """A dict with behaviour of its own keeps it."""
    doubled = map_tensors(defaultdict(list, a=ONE), lambda tensor: tensor * 2)
    assert doubled["missing"] == []


def test_packed_sequences_and_named_results_of_torch_stay_what_they_are() -> None:
    """Both are tuples with constructors of their own."""
    packed = map_tensors(pack_sequence([ONE, TWO]), lambda tensor: tensor * 2)
    ranked = map_tensors(torch.eye(2).max(dim=0), lambda tensor: tensor * 2)
    assert isinstance(packed, PackedSequence)
    assert packed.data.tolist() == [2, 4, 2, 4]
    assert ranked.values.tolist() == [2, 2]
    assert ranked.indices.tolist() == [0, 2]


def test_plain_values_are_passed_on_as_they_are() -> None:
    """Identity, not equality: nothing is copied that need not be."""
    for value in ("words", 3, None, object(), torch.Size([1, 2]), ("a", 1)):
        assert map_tensors(value, torch.clone) is value


def test_a_structure_that_contains_itself_is_walked_once() -> None:
    """A cycle ends where it closes."""
    ring: list[object] = [ONE]
    ring.append(ring)
    assert list(leaves(ring)) == ["output[0]"]
    assert map_tensors(ring, lambda tensor: tensor * 2)[1] is ring


@pytest.mark.parametrize("name", Structured.MAKERS)
def test_every_structure_is_captured_as_the_layer_returned_it(rows: torch.Tensor, name: str) -> None:
    """Although the model wrote zeros into all of it afterwards."""
    layers = LayerActivations(Structured(), device="cpu")
    with layers.capture(name) as record:
        layers.run(rows)
    output, expected = record[name].output, Structured.MAKERS[name](rows)
    assert type(output) is type(expected)
    assert list(leaves(output)) == list(leaves(expected))
    assert all(torch.equal(leaves(output)[path], tensor) for path, tensor in leaves(expected).items())


@pytest.mark.parametrize("dtype", [np.longdouble, np.clongdouble, ">f4", ">i2", np.float16])
def test_arrays_of_every_kind_of_numbers_are_leaves(dtype: object) -> None:
    """In the nearest type that PyTorch has."""
    array = np.arange(3).astype(dtype)
    (found,) = leaves([array]).values()
    assert found.tolist() == [0, 1, 2]
