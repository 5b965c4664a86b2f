"""The events of a pass, against hooks registered by hand, and where torch refuses such hooks."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from tests.viz.nets import InPlace, Plain, Reused
from viz.errors import RequestError, UnknownLayerError
from viz.hooks.activations import LayerActivations
from viz.profile.event import Event
from viz.profile.events import timeline

Log = list[tuple[str, str, Any, Any]]


def sizes(values: Any) -> tuple[tuple[int, ...] | None, ...]:
    """Shapes of one tensor or several."""
    values = values if isinstance(values, tuple) else (values,)
    return tuple(None if value is None else tuple(value.shape) for value in values)


def listen(layer: nn.Module, name: str, log: Log) -> None:
    """Register torch's five hooks on a layer by hand."""
    add = log.append

    def forward(_: nn.Module, inputs: Any, output: torch.Tensor) -> None:
        add(("forward hook", name, sizes(inputs), sizes(output)))
        if output.requires_grad:
            output.register_hook(lambda gradient: add(("tensor hook", name, (), sizes(gradient))))

    layer.register_forward_pre_hook(lambda _, inputs: add(("pre-hook", name, sizes(inputs), ())))
    layer.register_forward_hook(forward)
    layer.register_full_backward_pre_hook(
        lambda _, out: add(("full backward pre-hook", name, (), sizes(out)))
    )
    layer.register_full_backward_hook(
        lambda _, into, out: add(("full backward hook", name, sizes(into), sizes(out)))
    )


def heard(event: Event) -> tuple[str, str, Any, Any]:
    """An event as the hooks by hand record it."""
    return (
        event.kind,
        event.layer,
        event.inputs or event.input_gradients,
        event.outputs or event.output_gradients,
    )


def nested() -> nn.Module:
    """Containers in containers, and one layer that runs twice."""
    twice = nn.Tanh()
    inner = nn.Sequential(nn.Linear(4, 3), twice)
    return nn.Sequential(inner, nn.Sequential(nn.Sequential(nn.Linear(3, 5)), twice))


@pytest.mark.parametrize("make", [nested, Plain, Reused])
def test_events_are_those_of_hooks_by_hand(make: Callable[[], nn.Module], images: torch.Tensor) -> None:
    """The same hooks, layers and shapes, in the same order."""
    torch.manual_seed(0)
    model = make().eval().requires_grad_(False)
    inputs = torch.ones(2, 4) if make is nested else images
    events = timeline(LayerActivations(model, device="cpu"), inputs, target=lambda result: result.sum())
    log: Log = []
    for name, layer in model.named_modules():
        if name:
            listen(layer, name, log)
    model(inputs.requires_grad_()).sum().backward()
    assert [heard(event) for event in events] == log
    assert {event.kind for event in events} == {entry[0] for entry in log}


def test_without_a_target_there_is_no_way_back(images: torch.Tensor) -> None:
    """Pre-hooks and forward hooks in turn, and no graph."""
    events = timeline(LayerActivations(Plain(), device="cpu"), images)
    names = ["conv1", "conv2", "pool", "fc"]
    expected = [(name, kind) for name in names for kind in ("pre-hook", "forward hook")]
    assert [(event.layer, event.kind) for event in events] == expected
    assert events[1].inputs == (tuple(images.shape),)
    assert events[-1].outputs == ((2, 6),)


def test_calls_of_a_reused_layer_are_counted(images: torch.Tensor) -> None:
    """Forward 0, 1, 2; the last call's gradient comes back first."""
    events = timeline(
        LayerActivations(Reused(), device="cpu"), images, target=lambda out: out.sum(), only=("relu",)
    )
    calls = {
        kind: [event.call for event in events if event.kind == kind] for kind in {e.kind for e in events}
    }
    assert calls["pre-hook"] == calls["forward hook"] == [0, 1, 2]
    assert calls["full backward hook"] == calls["tensor hook"] == calls["full backward pre-hook"]
    assert calls["tensor hook"][0] == 2
    assert sorted(calls["tensor hook"]) == [0, 1, 2]


def test_layers_that_work_in_place_have_full_backward_hooks_too(images: torch.Tensor) -> None:
    """By hand torch refuses them; the gradient is that of the same arithmetic without writing in place."""
    model = InPlace().eval()
    log: Log = []
    twin = InPlace()
    listen(twin.conv, "conv", log)
    with pytest.raises(RuntimeError, match="inplace"):
        twin(images.clone().requires_grad_())
    first, second = images.clone().requires_grad_(), images.clone().requires_grad_()
    events = timeline(
        LayerActivations(model, device="cpu"), first, target=lambda result: result.square().sum()
    )
    (3 * (model.conv(second).relu() + 1)).square().sum().backward()
    assert [event.layer for event in events if event.kind == "full backward hook"] == ["relu", "conv"]
    assert torch.equal(first.grad, second.grad)


def test_what_a_layer_writes_into_its_input_is_written(rows: torch.Tensor) -> None:
    """The layer gets a clone, which is copied back."""

    class Writes(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.relu = nn.ReLU(inplace=True)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = x * 1
            self.relu(y)
            return y

    seen: list[torch.Tensor] = []
    timeline(LayerActivations(Writes(), device="cpu"), rows, target=lambda out: seen.append(out) or out.sum())
    assert torch.equal(seen[0], rows.clamp(min=0))


def test_a_layer_of_whole_numbers_has_no_gradient_at_its_input() -> None:
    """An embedding: torch fires the full backward hook with its pre-hook, and warns; the gradient is None."""
    model, tokens = nn.Sequential(nn.Embedding(5, 3), nn.Linear(3, 2)), torch.tensor([[1, 2]])
    events = timeline(LayerActivations(model, device="cpu"), tokens, target=lambda result: result.sum())
    log: Log = []
    for name, layer in model.named_children():
        listen(layer, name, log)
    with pytest.warns(UserWarning, match="no inputs require gradients"):
        model(tokens).sum().backward()
    assert [heard(event) for event in events] == log
    assert next(event for event in events[::-1] if event.kind == "full backward hook").input_gradients == (
        None,
    )


def test_tensor_hooks_say_on_which_tensor_they_sit(rows: torch.Tensor) -> None:
    """An LSTM returns three tensors, of which the last two are not used here."""
    model = nn.Sequential(nn.LSTM(4, 3, batch_first=True))
    events = timeline(
        LayerActivations(model, device="cpu"), rows[:, None], target=lambda result: result[1][1].sum()
    )
    assert [event.tensor for event in events if event.kind == "tensor hook"] == ["output[1][1]"]


def test_a_class_is_the_sum_of_its_scores(images: torch.Tensor) -> None:
    """It gives the same events as that sum written as a function; the weights' gradients do not change."""
    model = Plain()
    layers = LayerActivations(model, device="cpu")
    x = images.clone().requires_grad_()
    timeline(layers, x, target=2)
    expected = torch.autograd.grad(model(y := images.clone().requires_grad_())[:, 2].sum(), y)[0]
    assert torch.allclose(x.grad, expected)
    assert {(weight.grad, weight.requires_grad) for weight in model.parameters()} == {(None, True)}


def test_nothing_is_left_behind(images: torch.Tensor) -> None:
    """Hooks are gone, also after the target raised."""
    model = Plain()
    layers = LayerActivations(model, device="cpu")
    with pytest.raises(ZeroDivisionError):
        timeline(layers, images, target=lambda _: 1 / 0)
    timeline(layers, images, target=0)
    for layer in model.modules():
        assert not {*layer._forward_hooks, *layer._forward_pre_hooks, *layer._backward_hooks}


def test_a_target_that_cannot_be_met_is_a_clear_error(images: torch.Tensor) -> None:
    """No such class, more than one number, nothing that depends on a layer, no scores at all."""
    layers = LayerActivations(Plain(), device="cpu")
    with pytest.raises(RequestError, match="no class 6: the model has 6"):
        timeline(layers, images, target=6)
    with pytest.raises(RequestError, match="one number"):
        timeline(layers, images, target=lambda result: result)
    with pytest.raises(RequestError, match="does not depend"):
        timeline(layers, images, target=lambda result: result.detach().sum())
    with pytest.raises(RequestError, match="as a function"):
        timeline(LayerActivations(nn.Sequential(nn.Flatten(0)), device="cpu"), images, target=0)
    with pytest.raises(UnknownLayerError):
        timeline(layers, images, only=("nope",))
