"""Time of an ablation in batches, compared with one pass per channel.

The layers are those of ResNet-18 with 512 channels. Run it as ``python bench/ablation.py [--layer NAME]
[--channels N]``; it prints rows for ``bench/RESULTS.md``. The full study is timed as a whole: its first pass,
its trial, and batches that start small. Single passes are timed for some channels, evenly spread, before and
after the study, and scaled up to all of its channels.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import torch
from torchvision.models import resnet18

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.findings.ablation_part import MOST_ROWS
from viz.hooks.activations import LayerActivations
from viz.passes.ablation import BATCH, FORK, SINGLE, AblationPlan, ablate, plan_ablation, scores_without

LAYERS = ("layer4.1.conv2", "layer4.0.conv1")
ROWS = 16


def one_at_a_time(
    layers: LayerActivations, images: torch.Tensor, plan: AblationPlan, count: int
) -> list[float]:
    """Return the seconds of some channels, each in its own pass."""
    single, spread = replace(plan, way=SINGLE), np.linspace(0, plan.channels - 1, count).astype(int).tolist()
    loud = [channel for channel in spread if channel not in plan.silent]
    return [scores_without(layers, (images,), single, range(n, n + 1)).seconds for n in loud]


def whole_batches(layers: LayerActivations, images: torch.Tensor, plan: AblationPlan) -> float:
    """Return the seconds per channel when the whole model runs in batches."""
    part = scores_without(layers, (images,), replace(plan, way=BATCH), range(ROWS))
    return part.seconds / part.passed


def measured(layer: str, count: int) -> str:
    """One row of the table."""
    torch.manual_seed(0)
    layers, images = LayerActivations(resnet18(weights=None), device="cpu"), torch.rand(1, 3, 224, 224)
    plan = plan_ablation(layers, (images,), layer)
    alone, batches = one_at_a_time(layers, images, plan, count), [whole_batches(layers, images, plan)]
    longest, last = 0.0, perf_counter()

    def progress(_: int, __: int) -> None:
        nonlocal longest, last
        longest, last = max(longest, perf_counter() - last), perf_counter()

    begun = perf_counter()
    study = ablate(layers, images, layer=layer, progress=progress)
    seconds = perf_counter() - begun
    alone += one_at_a_time(layers, images, plan, count)
    batches.append(whole_batches(layers, images, plan))
    each, total = median(alone), len(study.channels)
    return (
        f"| {layer}, {total} channels, {study.passed} not silent | {plan.way} | {seconds:.1f} | "
        f"{each * study.passed:.1f} | {each * study.passed / seconds:.1f} | "
        f"{each / median(batches):.1f} | {longest:.2f} |"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--layer", action="append")
    options.add_argument("--channels", type=int, default=12, help="timed one at a time, before and after")
    asked = options.parse_args()
    print(
        f"| ResNet-18, one 224×224 picture, up to {MOST_ROWS} rows | way | full study, s | one at a time, s "
        f"| times faster (goal: 3) | way “{BATCH}” instead of “{FORK}” | longest wait for a stop, s |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for layer in asked.layer or LAYERS:
        print(measured(layer, asked.channels), flush=True)


if __name__ == "__main__":
    main()
