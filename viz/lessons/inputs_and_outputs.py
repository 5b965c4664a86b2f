"""Lesson 2: a convolution's inputs and outputs, and changes by hooks."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from .. import LayerActivations

LAYER = "layer1.1.conv2"
Shape = tuple[int, ...]


class Shapes(NamedTuple):
    """Shapes of a layer's inputs and output, and of the result."""

    inputs: tuple[Shape, ...]
    output: Shape
    result: Shape


class Gradients(NamedTuple):
    """The gradients at one layer's only input and at its output."""

    at_input: Tensor
    at_output: Tensor


# --- 1. Looking ------------------------------------------------------------------------------------------


@torch.no_grad()
def shapes_by_hook(net: nn.Module, images: Tensor) -> Shapes:
    """Return the shapes at ``layer1.1.conv2`` by a plain forward hook."""
    seen: list[tuple[tuple[Shape, ...], Shape]] = []

    def look(_: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        seen.append((tuple(tuple(each.shape) for each in inputs), tuple(output.shape)))

    handle = net.get_submodule(LAYER).register_forward_hook(look)
    result = net(images)
    handle.remove()
    return Shapes(*seen[0], tuple(result.shape))


def shapes_by_capture(net: nn.Module, images: Tensor) -> Shapes:
    """Return the same by ``LayerActivations``."""
    layers = LayerActivations(net, device="cpu")
    with layers.capture(LAYER, inputs=True) as record:
        result = layers.run(images)
    call = record[LAYER]
    return Shapes(
        tuple(tuple(each.shape) for each in call.inputs), tuple(call.output.shape), tuple(result.shape)
    )


# --- 2. Gradients ----------------------------------------------------------------------------------------


def gradients_by_hook(net: nn.Module, images: Tensor, layer: str = LAYER) -> Gradients:
    """Return the gradients of class 0's score, by a backward hook.

    Raises:
        RuntimeError: an in-place operation comes right after the layer, as behind ``layer1.1.bn2``.
    """
    seen: list[Gradients] = []

    def look(_: nn.Module, into: Any, out: Any) -> None:
        seen.append(Gradients(into[0].clone(), out[0].clone()))  # two tuples, and also here one entry each

    handle = net.get_submodule(layer).register_full_backward_hook(look)
    try:
        net(images)[:, 0].sum().backward()
    finally:
        handle.remove()
        net.zero_grad()
    return seen[0]


def gradients_by_capture(net: nn.Module, images: Tensor, layer: str = LAYER) -> Gradients:
    """Return the same by ``LayerActivations``; in-place operations do not matter to it."""
    layers = LayerActivations(net, device="cpu")
    with layers.capture(layer, inputs=True, gradients=True) as record:
        layers.run(images)[:, 0].sum().backward()
    return Gradients(record[layer].input_gradients[0], record[layer].gradient)


def refusal(net: nn.Module, images: Tensor) -> str:
    """Return torch's refusal of a backward hook before an in-place ReLU."""
    try:
        gradients_by_hook(net, images, "layer1.1.bn2")
    except RuntimeError as error:
        return str(error)
    return ""


# --- 3. Changing -----------------------------------------------------------------------------------------


def _with(place: Callable[[nn.Module], Any], net: nn.Module, images: Tensor, layer: str = LAYER) -> Tensor:
    """Return the result while a hook is in place."""
    handle = place(net.get_submodule(layer))
    try:
        with torch.no_grad():
            result: Tensor = net(images)
    finally:
        handle.remove()
    return result


def output_changed_by_hook(net: nn.Module, images: Tensor) -> Tensor:
    """Return the result when a forward hook doubles the output.

    Its shape is (N, 1000).
    """
    return _with(lambda layer: layer.register_forward_hook(lambda *given: given[2] * 2), net, images)


def output_changed_by_edit(net: nn.Module, images: Tensor) -> Tensor:
    """Return the same by ``LayerActivations``."""
    layers = LayerActivations(net, device="cpu")
    with layers.edit(LAYER, output=lambda output: output * 2):
        result: Tensor = layers.run(images)
    return result


def input_changed_too_late(net: nn.Module, images: Tensor, layer: str = LAYER) -> Tensor:
    """Return the result when a forward hook zeroes the input in place."""

    def overwrite(_: nn.Module, inputs: tuple[Tensor, ...], __: Tensor) -> None:
        inputs[0].zero_()

    return _with(lambda found: found.register_forward_hook(overwrite), net, images, layer)


def input_changed_by_hook(net: nn.Module, images: Tensor) -> Tensor:
    """Return the result when a forward pre-hook replaces the input by zeros."""
    return _with(
        lambda layer: layer.register_forward_pre_hook(lambda _, inputs: torch.zeros_like(inputs[0])),
        net,
        images,
    )


def input_changed_by_edit(net: nn.Module, images: Tensor) -> Tensor:
    """Return the same by ``LayerActivations``."""
    layers = LayerActivations(net, device="cpu")
    with layers.edit(LAYER, inputs=lambda inputs: torch.zeros_like(inputs[0])):
        result: Tensor = layers.run(images)
    return result


# --- 4. What looking in train mode does ------------------------------------------------------------------


def statistics_moved(net: nn.Module, images: Tensor, run: Callable[[Tensor], Any]) -> bool:
    """Return whether a run in train mode changed the model's numbers.

    A batch norm's averages do change; all are put back afterwards.
    """
    state = {name: value.clone() for name, value in net.state_dict().items()}
    net.train()
    with torch.no_grad():
        run(images)
    moved = any(not torch.equal(value, state[name]) for name, value in net.state_dict().items())
    net.load_state_dict(state)
    net.eval()
    return moved
