"""Lesson 2: one convolution in ResNet-50, what goes in and comes out, and which of it a hook can change.

Run it from any folder: ``python docs/lessons/02_inputs_and_outputs.py``. The weights are random: shapes and
the effect of a change do not depend on training. The text to it is in ``docs/hooks-2.md``.
"""

import sys
from pathlib import Path

import torch
from torch import Tensor, nn
from torchvision.models import resnet50

sys.path.append(f"{Path(__file__).parent}/../..")  # finds viz from any folder, without installing anything

from viz import LayerActivations
from viz.lessons.inputs_and_outputs import (
    LAYER,
    gradients_by_capture,
    gradients_by_hook,
    input_changed_by_edit,
    input_changed_by_hook,
    input_changed_too_late,
    output_changed_by_edit,
    output_changed_by_hook,
    refusal,
    shapes_by_capture,
    shapes_by_hook,
    statistics_moved,
)


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
