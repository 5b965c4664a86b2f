"""What capturing costs on ResNet-50, compared with calling the same layers by hand, in one run.

Run it as ``python bench/capture.py [--rounds N]``; it prints rows for ``bench/RESULTS.md``. The two sides of
a ratio take turns at going first, so that a busy machine slows both alike; the median of the rounds' ratios
is reported.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import torch
from torchvision.models import resnet50

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.hooks.activations import LayerActivations

LAYER = "layer2.1.conv2"
GOAL = 1.1


def by_hand(model: Any, images: torch.Tensor) -> torch.Tensor:
    """The forward pass of ResNet-50 up to ``layer2.1.conv2``."""
    with torch.inference_mode():
        x = model.layer1(model.maxpool(model.relu(model.bn1(model.conv1(images)))))
        x = model.layer2[0](x)
        block = model.layer2[1]
        return block.conv2(block.relu(block.bn1(block.conv1(x))))


def whole(model: Any, images: torch.Tensor) -> torch.Tensor:
    with torch.inference_mode():
        return model(images)


def one_layer(layers: LayerActivations, images: torch.Tensor) -> torch.Tensor:
    with layers.capture(LAYER) as record:
        layers.run(images, until=LAYER)
    return record[LAYER].output


def every_layer(layers: LayerActivations, images: torch.Tensor, **options: bool) -> torch.Tensor:
    with layers.capture(**options) as record:
        layers.run(images)
    return record["fc"].output


def milliseconds(work: Callable[[], torch.Tensor]) -> float:
    start = perf_counter()
    work()
    return 1000 * (perf_counter() - start)


def compared(
    ours: Callable[[], torch.Tensor], theirs: Callable[[], torch.Tensor], rounds: int
) -> tuple[float, ...]:
    """Median milliseconds of both sides, and the median of the ratios; equal results are checked."""
    if not torch.equal(ours(), theirs()):
        raise SystemExit("the two sides of a comparison do not compute the same")
    found = []
    for number in range(rounds):
        if number % 2:
            mine, other = milliseconds(ours), milliseconds(theirs)
        else:
            other, mine = milliseconds(theirs), milliseconds(ours)
        found.append((mine, other, mine / other))
    return tuple(median(column) for column in zip(*found, strict=True))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=30)
    rounds = options.parse_args().rounds
    torch.manual_seed(0)
    model = resnet50(weights=None).eval()
    layers, images = LayerActivations(model, device="cpu"), torch.rand(1, 3, 224, 224)
    sides = {
        f"capture of {LAYER}": (lambda: one_layer(layers, images), lambda: by_hand(model, images), GOAL),
        "capture of all layers": (lambda: every_layer(layers, images), lambda: whole(model, images), None),
        "all layers with inputs": (
            lambda: every_layer(layers, images, inputs=True),
            lambda: whole(model, images),
            None,
        ),
    }
    print("| ResNet-50, one 224×224 picture | ms | by hand, ms | ratio | goal |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, (ours, theirs, goal) in sides.items():
        mine, other, ratio = compared(ours, theirs, rounds)
        print(f"| {name} | {mine:.1f} | {other:.1f} | {ratio:.2f} | {f'≤ {goal}' if goal else ''} |")


if __name__ == "__main__":
    main()
