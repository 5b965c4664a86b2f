"""Time of pictures in a batch, and whether their numbers change.

Run it as ``python bench/batching.py``. Each row is one model in one run: the time of a forward pass for one
picture, as a share of that in a batch of one. Batches take turns, so that what else the machine does meets
all of them. A batch could only take the place of separate passes if every layer's values were equal bit for
bit: answers are kept under the picture's name, and must not depend on who else asked at the same moment.
"""

import os
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # as the page does

import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).parents[1]))

import models

MODELS = ("resnet18", "efficientnet_lite0", "vit_b_16")
BATCHES = (1, 2, 4, 8)
TURNS = 7
Values = dict[str, list[torch.Tensor]]


def seconds(net: nn.Module, pictures: torch.Tensor) -> float:
    """Return the seconds of one pass."""
    begin = time.perf_counter()
    net(pictures)
    return time.perf_counter() - begin


def values(net: nn.Module, pictures: torch.Tensor) -> Values:
    """Return the outputs of every layer's calls."""
    found, handles = Values(), []
    for name, module in net.named_modules():

        def keep(_: nn.Module, __: object, output: object, name: str = name) -> None:
            if isinstance(output, torch.Tensor):
                found.setdefault(name, []).append(output.clone())

        handles.append(module.register_forward_hook(keep))
    net(pictures)
    for handle in handles:
        handle.remove()
    return found


def differing(net: nn.Module, pictures: torch.Tensor) -> tuple[int, int, float]:
    """Compare the first picture's values alone and in the batch.

    Returns how many calls differ, how many there are, and the largest difference as a share of the layer's
    largest value.
    """
    alone, together = values(net, pictures[:1]), values(net, pictures)
    pairs = [
        (one, other[: len(one)])
        for name in alone
        for one, other in zip(alone[name], together[name], strict=True)
    ]
    apart = [pair for pair in pairs if not torch.equal(*pair)]
    most = max((float((one - other).abs().max() / one.abs().max()) for one, other in apart), default=0.0)
    return len(apart), len(pairs), most


def row(name: str) -> str:
    """One model as a row of the table."""
    net = models.load(name, weights="random").eval()
    size = models.describe(name).input_size
    pictures = torch.rand(max(BATCHES), 3, *size, generator=torch.Generator().manual_seed(0))
    times: dict[int, list[float]] = {batch: [] for batch in BATCHES}
    for turn in range(TURNS):
        for batch in BATCHES:
            taken = seconds(net, pictures[:batch]) / batch
            if turn > 1:
                times[batch].append(taken)
    one = statistics.median(times[1])
    shares = [f"{statistics.median(times[batch]) / one:.2f}" for batch in BATCHES[1:]]
    apart = [differing(net, pictures[:batch]) for batch in BATCHES[1:]]
    said = [f"{count} of {of} ({most:.0e})" for count, of, most in apart]
    return f"| {name} | {1000 * one:.0f} | {' | '.join(shares)} | {' | '.join(said)} |"


def main() -> None:
    """Print the table."""
    batches = [f"batch of {batch}" for batch in BATCHES[1:]]
    columns = ["model", "one picture, ms", *batches, *(f"differ, {batch}" for batch in batches)]
    print(f"| {' | '.join(columns)} |")
    print("|---|---:" + "|---:" * 2 * len(batches) + "|")
    with torch.inference_mode():
        for name in MODELS:
            print(row(name), flush=True)


if __name__ == "__main__":
    main()
