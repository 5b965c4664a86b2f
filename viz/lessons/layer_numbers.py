"""The numbers of lessons 0 to 2, computed."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn
from torchvision.models import resnet50

from . import every_layer, inputs_and_outputs, last_layers, what_is_kept
from .comparing import farthest, line, moves, text
from .line import Line, Parameters

Lines = tuple[Line, ...]

# --- Lesson 0 --------------------------------------------------------------------------------------------


def stacked(given: Parameters) -> Lines:
    """Return the last layers' shape, and how far three ways differ.

    Args:
        given: ``last``, K of 8; ``width`` of a token.
    """
    last, width = given["last"], given["width"]
    model, patches = last_layers.Encoder(features=width, width=width).eval(), torch.randn(2, 196, width)
    hooked = last_layers.last_by_hook(model, patches, last)
    captured = last_layers.last_by_capture(model, patches, last)
    return (
        line("stack_shape", (last, 2, 196, width), tuple(hooked.shape)),
        line("capture_equals_hook", 0.0, farthest(captured, hooked)),
        line("capture_equals_hand", 0.0, farthest(captured, last_layers.last_by_hand(model, patches, last))),
    )


def neighbours(_: Parameters) -> Lines:
    """Return how far one picture's result moves when only its neighbour changes."""
    return (
        moves("neighbour_moves", last_layers.reach_of_a_neighbour(batch_first=False)),
        line("neighbour_rests", 0.0, last_layers.reach_of_a_neighbour(batch_first=True)),
    )


def named(given: Parameters) -> Lines:
    """Return the outputs that hooks by type and by name see.

    Args:
        given: ``second``, the second number of the input (2, second).
    """
    first, second = 2.0, float(given["second"])
    x, net = torch.tensor([[first, second]]), last_layers.TwoLinears()
    between = [first + second, first - second]
    last = 2 * between[0] + between[1] + 1
    by_type, by_name = last_layers.by_type(net, x), last_layers.by_name(net, "relu6", x)
    return (
        line("linear_1", between, by_type[1][0]),
        line("linear_2", last, _number(by_type[1][1])),
        line("relu", max(0.0, last), _number(by_type[1][2])),
        line("relu6", min(6.0, max(0.0, last)), _number(by_name[1][0])),
        line("by_capture", by_name[1][0], last_layers.by_capture(net, ["relu6"], x)[1][0]),
        line("misspelt", 0, len(last_layers.by_name(net, "relu_6", x)[0])),
    )


def walked(_: Parameters) -> Lines:
    """Return a Sequential's ReLU, and a reference to batch norm's output."""
    net, x = what_is_kept.small_net(), torch.rand(2, 3, 224, 224) - 0.5
    relu, end = what_is_kept.relu_by_hand(net, x)
    normed, hooked = what_is_kept.references_by_hook(net, x)
    return (
        line("relu_shape", (2, 9, 224, 224), tuple(relu.shape)),
        line("end_shape", (2, 9, 1, 1), tuple(end.shape)),
        line("hook_equals_hand", 0.0, farthest(hooked, relu)),
        line("reference_minimum", 0.0, float(normed.min())),
        moves("copy_minimum", -float(what_is_kept.copies_by_capture(net, x)[0].min())),
    )


_FATES = {
    "the bare reference": ("shared", "flows"),
    "clone()": ("own", "flows"),
    "detach()": ("shared", "cut"),
    "detach().clone()": ("own", "cut"),
    "new_tensor(value)": ("own", "cut"),
    "empty_like().copy_()": ("own", "flows"),
    "LayerActivations": ("own", "cut"),
}


def kept(_: Parameters) -> Lines:
    """Return each way's kept value after the original was zeroed.

    The original is [1, 2, 3].
    """
    return tuple(_fate(way) for way in _FATES)


def _fate(way: str) -> Line:
    memory, gradient = _FATES[way]
    fate = what_is_kept.fate(way)
    as_told = (fate.shares_memory, fate.gradient is not None) == (memory == "shared", gradient == "flows")
    later = [0.0, 0.0, 0.0] if memory == "shared" else [1.0, 2.0, 3.0]
    right = as_told and fate.later == later
    return Line(f"kept_{memory}_{gradient}", text(later), text(fate.later), right, way)


# --- Lesson 1 --------------------------------------------------------------------------------------------


def second_convolution(_: Parameters) -> Lines:
    """Return the shape of LeNet's second convolution's output, in two ways."""
    net, pictures = every_layer.LeNet().eval(), torch.randn(2, 3, 32, 32)
    hooked = every_layer.conv2_by_hook(net, pictures)
    captured = every_layer.conv2_by_capture(net, pictures)
    return (
        line("conv2_shape", (2, 16, 10, 10), tuple(hooked.shape)),
        line("capture_equals_hook", 0.0, farthest(captured, hooked)),
    )


def staying(given: Parameters) -> Lines:
    """Return the growth of a hook's list, removed and left.

    Args:
        given: ``runs``, how often the net runs.
    """
    net, pictures, runs = every_layer.LeNet().eval(), torch.randn(1, 3, 32, 32), given["runs"]
    features, inside = every_layer.PictureNet(), every_layer.hooks_left_by_capture(every_layer.PictureNet())
    lengths = [every_layer.growth(net, pictures, runs=runs, remove=remove) for remove in (True, False)]
    return (
        line("growth_removed", [1] * runs, lengths[0]),
        line("growth_left", list(range(1, runs + 1)), lengths[1]),
        line("left_without", 8, every_layer.hooks_left(features, parentheses=False)),
        line("left_with", 0, every_layer.hooks_left(features, parentheses=True)),
        line("inside_capture", 10, inside[0]),
        line("after_capture", 0, inside[1]),
    )


_SHAPES: dict[str, list[tuple[int, ...]]] = {
    "PictureNet": [*[(1, 8, 30, 30)] * 3, (1, 8, 15, 15), *[(1, 16, 13, 13)] * 3, (1, 16, 6, 6)],
    "SignalNet": [*[(1, 4, 60)] * 2, *[(1, 8, 56)] * 2, *[(1, 16, 52)] * 2, *[(1, 16, 26)] * 2],
}


def features(net: str) -> list[Tensor]:
    """Return the outputs of the net's eight layers for one input.

    ``net`` is ``PictureNet`` or ``SignalNet``.
    """
    signal = net == "SignalNet"
    model = (every_layer.SignalNet() if signal else every_layer.PictureNet()).eval()
    return every_layer.features_by_capture(
        model, torch.randn(1, 1, 64) if signal else torch.randn(1, 3, 32, 32)
    )


def by_index(given: Parameters) -> Lines:
    """Return the shape of every layer of ``features``, by its index.

    Args:
        given: ``net``, ``PictureNet`` or ``SignalNet``.
    """
    found = features(given["net"])
    pairs = zip(_SHAPES[given["net"]], found, strict=True)
    return tuple(
        line("layer_shape", shape, tuple(output.shape), str(n)) for n, (shape, output) in enumerate(pairs)
    )


# --- Lesson 2 --------------------------------------------------------------------------------------------


def _untrained(given: Parameters) -> tuple[nn.Module, Tensor]:
    return resnet50(weights=None).eval(), torch.randn(2, 3, given["side"], given["side"])


def shapes(given: Parameters) -> Lines:
    """Return the shapes of inputs and output of ``layer1.1.conv2`` in ResNet-50.

    Args:
        given: ``side`` of the two pictures, in pixels.
    """
    net, images = _untrained(given)
    hooked = inputs_and_outputs.shapes_by_hook(net, images)
    maps = _maps(given)
    return (
        line("inputs_tuple", 1, len(hooked.inputs)),
        line("input_shape", maps, hooked.inputs[0]),
        line("output_shape", maps, hooked.output),
        line("result_shape", (2, 1000), hooked.result),
        line("shapes_by_capture", maps, inputs_and_outputs.shapes_by_capture(net, images).output),
    )


def gradients(given: Parameters) -> Lines:
    """Return the shapes of gradients in a full backward hook.

    ``given`` is as in ``shapes``.
    """
    net, images = _untrained(given)
    hooked = inputs_and_outputs.gradients_by_hook(net, images)
    captured = inputs_and_outputs.gradients_by_capture(net, images)
    return (
        line("gradient_in_shape", _maps(given), tuple(hooked.at_input.shape)),
        line("gradient_out_shape", _maps(given), tuple(hooked.at_output.shape)),
        line("capture_equals_hook", 0.0, farthest(captured.at_output, hooked.at_output)),
    )


def changes(_: Parameters) -> Lines:
    """Return how far the logits move as hooks change the layer."""
    net, images = _untrained({"side": 64})  # the effect does not depend on the size
    with torch.no_grad():
        plain = net(images)
    doubled = inputs_and_outputs.output_changed_by_hook(net, images)
    too_late = inputs_and_outputs.input_changed_too_late
    return (
        moves("output_doubled", farthest(doubled, plain)),
        line(
            "edit_equals_hook", 0.0, farthest(inputs_and_outputs.output_changed_by_edit(net, images), doubled)
        ),
        line("input_too_late", 0.0, farthest(too_late(net, images), plain)),
        moves("input_before", farthest(inputs_and_outputs.input_changed_by_hook(net, images), plain)),
        moves("shortcut", farthest(too_late(net, images, "layer1.1.conv1"), plain)),
    )


def _maps(given: Parameters) -> tuple[int, ...]:
    """Return the layer's shape, after two halvings of the sides."""
    return (2, 64, given["side"] // 4, given["side"] // 4)


def _number(values: Iterable[Tensor] | Tensor) -> float:
    return float(torch.as_tensor(values).flatten()[0])
