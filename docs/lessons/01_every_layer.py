"""Lesson 1: LeNet's second convolution, every layer by its index as heatmaps, and hooks that are not removed.

Run it from any folder: ``python docs/lessons/01_every_layer.py [FOLDER]``. With a folder, the heatmaps are
saved there. The text to it is in ``docs/hooks-1.md``.
"""

import sys
from pathlib import Path

import torch
from torch import Tensor

sys.path.append(f"{Path(__file__).parent}/../..")  # finds viz from any folder, without installing anything

from models.nets.bundled import LeNet as NamedLeNet
from viz import LayerActivations
from viz.lessons.every_layer import (
    LeNet,
    PictureNet,
    SignalNet,
    canvas,
    conv2_by_capture,
    conv2_by_hook,
    features_by_capture,
    features_by_hook,
    growth,
    heatmaps,
    hooks_left,
    hooks_left_by_capture,
    with_named_layers,
)
from viz.maps.figures import save_figure


def main(folder: str = "") -> None:
    """Print every number of the lesson with a sentence; save the heatmaps when there is a folder for them."""
    torch.manual_seed(0)
    lenet, pictures = LeNet().eval(), torch.randn(2, 3, 32, 32)
    plain, ours = conv2_by_hook(lenet, pictures), conv2_by_capture(lenet, pictures)
    print(f"conv2 of LeNet: {tuple(plain.shape)}; by capture the same: {torch.equal(plain, ours)}.")
    print(f"Its layers: {', '.join(LayerActivations(lenet, device='cpu').names)}. F.relu is none of them.")
    named = with_named_layers(lenet, NamedLeNet())
    print(f"LeNet with named layers: {', '.join(LayerActivations(named, device='cpu').names)};")
    print(
        f"  conv2 of the same weights is the same: {torch.equal(conv2_by_capture(named, pictures), plain)}.\n"
    )
    print(f"Three runs with the hook removed: {growth(lenet, pictures, runs=3, remove=True)} tensors kept,")
    print(f"with the hook left in place:      {growth(lenet, pictures, runs=3, remove=False)}.\n")
    picture_net, signal_net = PictureNet(), SignalNet()
    for net, x in ((picture_net, torch.randn(1, 3, 32, 32)), (signal_net, torch.randn(1, 1, 64))):
        _print_features(net.eval(), x, Path(folder) if folder else None)
    print(f"handle.remove without () leaves {hooks_left(picture_net, parentheses=False)} hooks, ", end="")
    print(f"handle.remove() leaves {hooks_left(picture_net, parentheses=True)}.")
    print(
        "A capture has {} hooks in its block, and {} after the model failed in it.".format(
            *hooks_left_by_capture(picture_net)
        )
    )


def _print_features(net: PictureNet, x: Tensor, folder: Path | None) -> None:
    hooked, captured = features_by_hook(net, x), features_by_capture(net, x)
    same = all(torch.equal(one, other) for one, other in zip(hooked, captured, strict=True))
    print(f"{type(net).__name__}: {len(hooked)} layers; hooks and capture agree: {same}.")
    figures = heatmaps(captured)
    for index, (layer, output) in enumerate(zip(net.features, captured, strict=True)):
        print(f"  {index} {type(layer).__name__:12} {tuple(output.shape)}")
        if folder:
            (folder / f"{type(net).__name__}_{index}.png").write_bytes(save_figure(figures[index], "png"))
    if folder:
        (folder / f"{type(net).__name__}.png").write_bytes(save_figure(canvas(captured), "png"))


if __name__ == "__main__":
    main(*sys.argv[1:2])
