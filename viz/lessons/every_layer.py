"""Lesson 1: a convolution, every layer by index, and forgotten hooks."""

from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812  (the usual name)
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor, nn

from .. import LayerActivations, feature_map_figure, to_array


class LeNet(nn.Module):
    """A small net whose ReLU and pooling are functions.

    It returns class scores (N, 10) for pictures (N, 3, 32, 32).
    """

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 5)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x: Tensor) -> Tensor:
        """Return class scores (N, 10)."""
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc2(F.relu(self.fc1(x.flatten(1)))))
        scores: Tensor = self.fc3(x)
        return scores


class PictureNet(nn.Module):
    """A net for pictures whose convolutions stand in ``features``.

    It returns class scores (N, 10) for pictures (N, 3, 32, 32).
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            *(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2)),
            *(nn.Conv2d(8, 16, 3), nn.BatchNorm2d(16), nn.ReLU(inplace=True), nn.MaxPool2d(2)),
        )
        self.classifier = nn.Linear(16 * 6 * 6, 10)

    def forward(self, x: Tensor) -> Tensor:
        """Return class scores (N, 10)."""
        scores: Tensor = self.classifier(self.features(x).flatten(1))
        return scores


class SignalNet(PictureNet):
    """A net for signals, where outputs have one side, not two.

    It returns class scores (N, 10) for signals (N, 1, 64).
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            *(nn.Conv1d(1, 4, 5), nn.ReLU(), nn.Conv1d(4, 8, 5), nn.ReLU()),
            *(nn.Conv1d(8, 16, 5), nn.BatchNorm1d(16), nn.MaxPool1d(2), nn.ReLU()),
        )
        self.classifier = nn.Linear(16 * 26, 10)


# --- 1. One layer ----------------------------------------------------------------------------------------


def conv2_by_hook(net: nn.Module, pictures: Tensor) -> Tensor:
    """Return conv2's output by a plain hook that is removed afterwards.

    Its shape is (N, 16, 10, 10).
    """
    features: list[Tensor] = []

    def keep(_: nn.Module, __: Any, output: Tensor) -> None:
        features.append(output.clone().detach())

    handle = net.get_submodule("conv2").register_forward_hook(keep)
    net(pictures)
    handle.remove()
    return features[0]


def conv2_by_capture(net: nn.Module, pictures: Tensor) -> Tensor:
    """Return the same by ``LayerActivations``."""
    layers = LayerActivations(net, device="cpu")
    with layers.capture("conv2") as record:
        layers.run(pictures, until="conv2")  # what comes after conv2 need not be computed
    output: Tensor = record["conv2"].output
    return output


def with_named_layers(net: LeNet, twin: nn.Module) -> nn.Module:
    """Return the twin of a LeNet, with the net's weights.

    In the twin every ReLU and pooling is a layer with a name.
    """
    twin.load_state_dict(net.state_dict())
    return twin.eval()


# --- 2. A hook that stays --------------------------------------------------------------------------------


def growth(net: nn.Module, pictures: Tensor, *, runs: int, remove: bool) -> list[int]:
    """Return the length of a hook's list after each run.

    The hook is removed after the first run, or stays.
    """
    features: list[Tensor] = []
    handle = net.get_submodule("conv2").register_forward_hook(
        lambda *given: features.append(given[2].detach())
    )
    lengths = []
    for _ in range(runs):
        net(pictures)
        lengths.append(len(features))
        if remove:
            handle.remove()
    handle.remove()
    return lengths


def hooks_on(net: nn.Module) -> int:
    """Count the forward hooks and pre-hooks on a net's layers."""
    return sum(
        len(layer._forward_hooks) + len(layer._forward_pre_hooks)  # noqa: SLF001  (torch tells it nowhere else)
        for layer in net.modules()
    )


def hooks_left(net: PictureNet, *, parentheses: bool) -> int:
    """Count the hooks that a loop over ``features`` leaves.

    The loop ends in ``handle.remove``, with parentheses or without.
    """
    handles = []
    for layer in net.features:
        handle = layer.register_forward_hook(lambda *_: None)
        handles.append(handle)
        handle.remove() if parentheses else handle.remove  # the second only names the method
    left = hooks_on(net)
    for handle in handles:
        handle.remove()
    return left


def hooks_left_by_capture(net: nn.Module) -> tuple[int, int]:
    """Count the hooks inside a ``with`` block and after its exception."""
    layers, inside = LayerActivations(net, device="cpu"), 0
    try:
        with layers.capture():
            inside = hooks_on(net)
            layers.run(torch.zeros(1, 1))  # no picture: the model raises
    except RuntimeError:
        pass
    return inside, hooks_on(net)


# --- 3. Every layer --------------------------------------------------------------------------------------


def features_by_hook(net: PictureNet, x: Tensor) -> list[Tensor]:
    """Return the outputs of ``features``, with one pass for each layer."""
    found: list[Tensor] = []
    for index in range(len(net.features)):
        handle = net.features[index].register_forward_hook(lambda *given: found.append(given[2].clone()))
        with torch.no_grad():
            net(x)
        handle.remove()
    return found


def features_by_capture(net: PictureNet, x: Tensor) -> list[Tensor]:
    """Return the same from one forward pass.

    An index selects from a model that is a Sequential.
    """
    layers = LayerActivations(net.features, device="cpu")
    with layers.capture(*range(len(net.features))) as record:
        layers.run(x)
    return [calls.output for calls in record.values()]


def maps(output: Tensor) -> NDArray[Any]:
    """Return the first picture's maps.

    They are (channels, height, width); a signal's channels are rows of one map.
    """
    values: NDArray[Any] = to_array(output)[0]
    return values if output.ndim == 4 else values[None]  # noqa: PLR2004  (N, C, H, W)


def heatmaps(outputs: list[Tensor]) -> list[Figure]:
    """Return one figure of ``hot`` heatmaps with a colour bar per layer."""
    return [
        feature_map_figure(maps(output), title=f"layer {index}", colormap="hot")
        for index, output in enumerate(outputs)
    ]


def canvas(outputs: list[Tensor]) -> Figure:
    """Return one figure with a ``hot`` heatmap of each layer.

    It is that of the layer's first map, with a colour bar.
    """
    figure = Figure(figsize=(2.6 * len(outputs), 2.6), layout="constrained")
    for index, output in enumerate(outputs):
        axes = figure.add_subplot(1, len(outputs), index + 1, title=f"layer {index}")
        image = axes.imshow(maps(output)[0], cmap="hot", aspect="auto", interpolation="nearest")
        figure.colorbar(image, ax=axes, shrink=0.4)
    return figure
