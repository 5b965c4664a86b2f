"""Lesson 2: one convolution in ResNet-50, what goes in and comes out, and which of it a hook can change.

Run it from any folder: ``python docs/lessons/02_inputs_and_outputs.py``. The weights are random: shapes and
the effect of a change do not depend on training. The text to it is in ``docs/hooks.md``.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torchvision.models import resnet50

sys.path.append(f"{Path(__file__).parent}/../..")  # finds viz from any folder, without installing anything

from viz import LayerActivations

LAYER = "layer1.1.conv2"
Shape = tuple[int, ...]


class Shapes(NamedTuple):
    """What a hook on one layer was given, and what the model returned."""

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
    """Return the gradients of class 0's score, by a plain full backward hook.

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
    """Return what torch says to a full backward hook on a layer before an in-place ReLU."""
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
    """Return the result (N, 1000) when a forward hook returns twice the output."""
    return _with(lambda layer: layer.register_forward_hook(lambda *given: given[2] * 2), net, images)


def output_changed_by_edit(net: nn.Module, images: Tensor) -> Tensor:
    """Return the same by ``LayerActivations``."""
    layers = LayerActivations(net, device="cpu")
    with layers.edit(LAYER, output=lambda output: output * 2):
        result: Tensor = layers.run(images)
    return result


def input_changed_too_late(net: nn.Module, images: Tensor, layer: str = LAYER) -> Tensor:
    """Return the result when a forward hook overwrites the layer's input with zeros, in place."""

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
    """Return whether a run in train mode changed a batch norm of the model; the model is put back."""
    state = {name: value.clone() for name, value in net.state_dict().items()}
    net.train()
    with torch.no_grad():
        run(images)
    moved = any(not torch.equal(value, state[name]) for name, value in net.state_dict().items())
    net.load_state_dict(state)
    net.eval()
    return moved


def main() -> None:
    """Print every number of the lesson with a sentence."""
    torch.manual_seed(0)
    net, images = resnet50(weights=None).eval(), torch.randn(2, 3, 224, 224)
    shapes = shapes_by_hook(net, images)
    print(
        f"{LAYER} takes a tuple of {len(shapes.inputs)}, {shapes.inputs}, and gives a tensor {shapes.output};"
    )
    print(f"  its len() is {shapes.output[0]} because there are two images. The model gives {shapes.result}.")
    print(f"  By capture the same: {shapes_by_capture(net, images) == shapes}.\n")
    hooked, captured = gradients_by_hook(net, images), gradients_by_capture(net, images)
    print(
        f"Gradients: input {tuple(hooked.at_input.shape)}, output {tuple(hooked.at_output.shape)};", end=" "
    )
    print(f"by capture the same: {all(map(torch.equal, hooked, captured))}.")
    small = images[:, :, :64, :64].clone()  # what follows does not depend on the size
    print(f"A full backward hook on layer1.1.bn2, before an in-place ReLU: {refusal(net, small)[:58]}...")
    there = gradients_by_capture(net, small, "layer1.1.bn2").at_output
    print(f"  By capture, for pictures of 64×64: {tuple(there.shape)}.\n")
    _print_changes(net, small)
    print("\nA run in train mode changes the batch norms:", statistics_moved(net, small, net), end="; ")
    ours = LayerActivations(net, device="cpu")
    print("one of LayerActivations:", statistics_moved(net, small, ours.run))


def _print_changes(net: nn.Module, images: Tensor) -> None:
    with torch.no_grad():
        plain = net(images)
    ways = {
        "output doubled by a forward hook": output_changed_by_hook(net, images),
        "output doubled by an edit": output_changed_by_edit(net, images),
        "input zeroed in a forward hook, too late": input_changed_too_late(net, images),
        "input zeroed by a pre-hook": input_changed_by_hook(net, images),
        "input zeroed by an edit": input_changed_by_edit(net, images),
        "input of conv1 zeroed in a forward hook": input_changed_too_late(net, images, "layer1.1.conv1"),
    }
    print("How far the scores move:")
    for way, result in ways.items():
        print(f"  {way:42} {float((result - plain).abs().max()):.4f}")
    print("  (conv1's input is also the block's shortcut: whoever overwrites it changes the sum at the end)")


if __name__ == "__main__":
    main()
