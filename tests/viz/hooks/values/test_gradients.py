"""Gradients that flow back into a value: once for each tensor, and where it stood."""

import copy
import gc
from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np
import pytest
import torch
from torch import nn

from tests.viz.aliasing import Does, Net
from tests.viz.nets import Checkpointed
from viz.errors import CaptureError
from viz.hooks.activations import LayerActivations
from viz.hooks.records import gradients_by_path


class Holder:
    """An object of its own class with one tensor."""

    def __init__(self, held: torch.Tensor) -> None:
        self.held = held


def _twice(value: Any) -> tuple[Any, Any]:
    return value, value


TWICE: dict[str, Callable[[torch.Tensor], Any]] = {
    "a new tensor": lambda x: _twice(x * 2),
    "what it was given": _twice,
    "a list": lambda x: _twice([x * 2]),
    "an object": lambda x: _twice(Holder(x * 2)),
}


def _tensor(value: Any) -> torch.Tensor:
    """Return the tensor in a list or an object."""
    value = value[0] if isinstance(value, list) else value
    return value.held if isinstance(value, Holder) else value


def _weighted(net: Net, x: torch.Tensor) -> torch.Tensor:
    first, second = map(_tensor, net.layer(x * 1))
    return (first * 2 + second * 5).sum()


class Keeps(nn.Module):
    """A layer that returns what it keeps beside its weights: a buffer that is a view, and two attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("places", torch.rand(3, 4).unsqueeze(0))
        self.shift, self.more = torch.rand(4), {"scale": [torch.rand(2, 4)[1]]}
        self.shift.told = "an attribute of its own"
        self.more["scale"][0].told = "another one"

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return self.places[:, : len(x)], self.shift, self.more["scale"][0]


def _shifted(net: Net, x: torch.Tensor) -> torch.Tensor:
    places, shift, scale = net.layer(x)
    return ((net.first(x) + places[0] + shift) * scale).sum()


GIVEN: dict[str, Callable[[], torch.Tensor]] = {
    "rows": lambda: torch.rand(2, 4),
    "a part of them": lambda: torch.rand(3, 2, 4)[1],
}


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("make", GIVEN.values(), ids=GIVEN)
def test_what_lives_on_is_in_no_graph_after_the_block(
    make: Callable[[], torch.Tensor], *, by_hand: bool
) -> None:
    """Neither what the model keeps nor the caller's own input; each capture finds what the first found."""
    model, x = Net(_shifted, first=nn.Linear(4, 4), layer=Keeps()), make()
    layers, keeps = LayerActivations(model, device="cpu"), model.layer
    kept = [x, keeps.places, keeps.shift, keeps.more["scale"][0]]
    kept += [each._base for each in kept if each._base is not None]
    found = []
    for _ in range(3):
        with layers.capture(inputs=True, gradients=True) as record:
            (model if by_hand else layers.run)(x).backward()
        found.append(record["layer"].gradient + record["first"].input_gradients)
        assert not any(each.requires_grad or each.grad_fn or each.grad is not None for each in kept)
    assert all(map(torch.equal, sum(found, ()), found[0] * 3))
    with torch.no_grad():
        expected = (model.first(x) + keeps.places[0, :2] + keeps.shift).sum(0)
    assert torch.allclose(found[0][2], expected)
    assert [each.told for each in (keeps.shift, keeps.more["scale"][0])] == [
        "an attribute of its own",
        "another one",
    ]
    assert torch.equal(copy.deepcopy(model)(x), model(x))


@pytest.mark.parametrize("make", TWICE.values(), ids=TWICE)
def test_a_gradient_edit_of_a_tensor_in_two_places_acts_once(
    rows: torch.Tensor, make: Callable[[torch.Tensor], Any]
) -> None:
    """It gets the tensor's gradient, that of both readers; the record has it in both places."""
    layers, seen = LayerActivations(Net(_weighted, layer=Does(make)), device="cpu"), []
    mine = rows.clone().requires_grad_()
    with (
        layers.edit("layer", gradient=lambda flowing: [flowing * 3, seen.append(flowing)][0]),
        layers.capture("layer", gradients=True) as record,
    ):
        layers.run(mine).backward()
    theirs = rows.clone().requires_grad_()
    value = _tensor(make(theirs)[0])
    (expected,) = torch.autograd.grad((value * 2 + value * 5).sum(), value, retain_graph=True)
    assert len(seen) == 1
    assert torch.equal(seen[0], expected)
    assert all(torch.equal(_tensor(part), expected * 3) for part in record["layer"].gradient)
    assert torch.equal(mine.grad, torch.autograd.grad(value, theirs, expected * 3)[0])


def test_an_input_given_twice_has_a_gradient_for_each_place(rows: torch.Tensor) -> None:
    """As torch's full backward hook has; an edit of one place's leaves the other's alone."""
    model = Net(lambda net, x: net.layer(x, x).sum(), layer=Does(lambda a, b: a * 2 + b * 5))
    layers, seen = LayerActivations(model, device="cpu"), []
    with layers.capture("layer", inputs=True, gradients=True) as record:
        layers.run(rows).backward()
    model.layer.register_full_backward_hook(lambda _, into, __: seen.extend(into))
    model(rows.clone().requires_grad_()).backward()
    assert all(map(torch.equal, record["layer"].input_gradients, seen))


def _mixed(x: torch.Tensor) -> dict[str, Any]:
    return {"array": np.ones(3), "left out": x * 2, "kept": [x[:, :1] * 3]}


@pytest.mark.parametrize(
    "keep", [None, lambda tensor: tensor if tensor.shape[1] == 1 else 0], ids=["all", "a part"]
)
def test_gradients_stand_where_their_tensors_stood(
    rows: torch.Tensor, keep: Callable[[torch.Tensor], Any] | None
) -> None:
    """Beside an array, and beside a tensor of which only a number is kept."""
    model = Net(
        lambda net, x: [found := net.layer(x), found["left out"].sum() * 5 + found["kept"][0].sum() * 7][1],
        layer=Does(_mixed),
    )
    layers = LayerActivations(model, device="cpu")
    with layers.capture("layer", gradients=True, inputs=True, keep=keep) as record:
        layers.run(rows).backward()
    expected = {"output['left out']": torch.full_like(rows, 5), "output['kept'][0]": torch.full((2, 1), 7.0)}
    found = record["layer"].gradient
    assert found["array"] is None
    assert torch.equal(found["left out"], expected["output['left out']"])
    assert torch.equal(found["kept"][0], expected["output['kept'][0]"])
    by_path = gradients_by_path(record["layer"].only)
    assert all(torch.equal(by_path[path], gradient) for path, gradient in expected.items())
    assert torch.equal(by_path["inputs[0]"], record["layer"].input_gradients[0])


def test_gradients_count_towards_the_budget(rows: torch.Tensor) -> None:
    """A second backward pass replaces the first one's; a byte less is too little."""
    layers = LayerActivations(nn.Sequential(nn.Linear(4, 4)), device="cpu")
    size = 2 * rows.nbytes
    with layers.capture("0", gradients=True, budget=size) as record:
        result = layers.run(rows).sum()
        result.backward(retain_graph=True)
        result.backward()
    assert record["0"].output.nbytes + record["0"].gradient.nbytes == size
    with layers.capture("0", gradients=True, budget=size - 1):
        result = layers.run(rows).sum()
        with pytest.raises(CaptureError, match=f"beyond its budget of {size - 1} bytes"):
            result.backward()


def test_a_sparse_gradient_is_captured_and_counts_by_its_parts(rows: torch.Tensor) -> None:
    """As that of a table of which an embedding reads a few rows."""
    read = torch.tensor([1])
    model = Net(
        lambda net, x: nn.functional.embedding(read, net.layer(x), sparse=True).sum(),
        layer=Does(lambda x: x * 2),
    )
    layers = LayerActivations(model, device="cpu")
    size = rows.nbytes + rows[:1].nbytes + read.nbytes
    for budget in (None, size):
        with layers.capture("layer", gradients=True, budget=budget) as record:
            layers.run(rows).backward()
        assert torch.equal(record["layer"].gradient.to_dense(), torch.tensor([[0.0] * 4, [1.0] * 4]))


def test_a_record_whose_gradients_keep_their_graph_ends_when_nobody_holds_it(rows: torch.Tensor) -> None:
    """Also where checkpointing repeats a layer, whose graph knows what was open."""
    layers = LayerActivations(Checkpointed(), device="cpu")
    with layers.capture(gradients=True, create_graph=True) as record:
        leaf = rows.clone().requires_grad_()
        torch.autograd.grad(layers.run(leaf).square().sum(), leaf, create_graph=True)
    kept = ref(record["first"])
    assert record["first"].gradient.requires_grad
    del record, leaf
    gc.collect()
    assert kept() is None
