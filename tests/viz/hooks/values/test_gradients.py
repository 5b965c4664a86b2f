"""Gradients that flow back into a value: once for each tensor, and without a trace afterwards."""

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.viz.aliasing import Does, Net
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


class Constant(nn.Module):
    """A layer that adds a plain tensor of its own, from its own layer."""

    def __init__(self) -> None:
        super().__init__()
        self.grid, self.row = torch.arange(8.0).view(2, 4).clone(), [torch.arange(4.0)]
        self.same, self.other = Does(lambda _: self.grid), Does(lambda _: self.row[0])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.isnan().any():
            self.same(x)
            raise ValueError
        return self.same(x) * x + self.other(x)


@pytest.mark.parametrize("fails", [False, True])
def test_a_layers_plain_tensors_are_no_part_of_a_graph_afterwards(rows: torch.Tensor, *, fails: bool) -> None:
    """Neither after a run nor after one that raises."""
    model = Constant()
    layers = LayerActivations(model, device="cpu")
    with contextlib.suppress(ValueError), layers.capture(gradients=True) as record:
        layers.run(rows * float("nan") if fails else rows).sum().backward()
    assert [(own.requires_grad, own.grad_fn) for own in (model.grid, *model.row)] == [(False, None)] * 2
    assert fails or torch.equal(record["same"].gradient, rows)


def _fails(_: torch.Tensor) -> None:
    raise ValueError


@pytest.mark.parametrize("called", ["", "0"], ids=["the model", "a layer"])
@pytest.mark.parametrize("last", [nn.Identity(), Does(_fails)], ids=["returns", "raises"])
def test_a_callers_own_tensor_is_no_part_of_a_graph_afterwards(
    rows: torch.Tensor, called: str, last: nn.Module
) -> None:
    """Called by hand, a layer gets the caller's very tensor; within the block its gradient is known."""
    model = nn.Sequential(nn.Dropout(), nn.ReLU(inplace=True), last).eval()
    layers, values = LayerActivations(model, device="cpu"), rows.clone()
    with contextlib.suppress(ValueError), layers.edit(0, gradient=lambda flowing: flowing):
        with layers.capture("0", inputs=True, gradients=True) as record:
            result = model.get_submodule(called)(rows)
        result.sum().backward()
    assert (rows.requires_grad, rows.grad_fn, rows.grad) == (False, None, None)
    assert torch.equal(rows, values if called else values.relu())
    assert len(record["0"]) == 1


def test_a_caller_who_had_asked_for_gradients_still_has_them_afterwards(rows: torch.Tensor) -> None:
    """A tensor of a graph from before the block stays in it."""
    layers, leaf = LayerActivations(nn.Sequential(nn.Dropout()).eval(), device="cpu"), rows.requires_grad_()
    middle = leaf * 2
    with layers.capture("0", inputs=True, gradients=True):
        layers.model(middle)
    middle.sum().backward()
    assert torch.equal(leaf.grad, torch.full_like(rows, 2))


@pytest.mark.parametrize("called", ["run", "", "block", "block.layer"])
@pytest.mark.parametrize("within", [True, False], ids=["written within too", "written by the caller"])
def test_the_gradient_of_what_the_caller_then_overwrites_is_captured(
    rows: torch.Tensor, called: str, *, within: bool
) -> None:
    """The run, the model, or a layer called it. The oracle is the same sum written out of place."""
    model = nn.ModuleDict({"block": nn.ModuleDict({"layer": nn.Dropout()})}).eval()
    model["block"].forward = lambda x: [y := model["block"]["layer"](x), within and y.mul_(2)][0]
    model.forward = model["block"].__call__
    layers = LayerActivations(model, device="cpu")
    with layers.capture("block.layer", gradients=True) as record:
        call = layers.run if called == "run" else model.get_submodule(called)
        call(rows * 1).mul_(3).sum().backward()
    leaf = rows.clone().requires_grad_()
    written = leaf * 2 * 3 if within and called != "block.layer" else leaf * 3
    assert torch.equal(record["block.layer"].gradient, torch.autograd.grad(written.sum(), leaf)[0])


def test_torchs_own_backward_pass_is_in_place_again_after_the_block(rows: torch.Tensor) -> None:
    """Also if blocks overlap."""
    before = torch.autograd._engine_run_backward
    layers = LayerActivations(nn.Sequential(nn.Linear(4, 4)), device="cpu")
    one, other = layers.capture(gradients=True), layers.capture(gradients=True)
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    layers.run(rows).sum().backward()
    other.__exit__(None, None, None)
    assert torch.autograd._engine_run_backward is before


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
