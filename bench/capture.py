"""Cost of capturing, compared with the plain model and with plain hooks.

Run it as ``python bench/capture.py [--rounds N]``; it prints rows for ``bench/RESULTS.md``. All is timed in
CPU time of the process, so that waiting for other programs does not count; the sides of a ratio take turns at
going first, and the median of the rounds' ratios is reported. Bare hooks that do nothing, that keep what they
get, and that keep a copy made on the first write tell what of it is PyTorch's own, and memory's.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import torch
from torchvision.models import efficientnet_b0, resnet50, vit_b_16

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.hooks.activations import LayerActivations

LAYER = "layer2.1.conv2"
GOAL, GOALS_OF_ALL = 1.1, {"ResNet-50": 1.2, "EfficientNet-B0": 1.3}
MODELS = {"ResNet-50": resnet50, "ViT-B/16": vit_b_16, "EfficientNet-B0": efficientnet_b0}


def by_hand(model: Any, images: torch.Tensor) -> torch.Tensor:
    """The forward pass of ResNet-50 up to ``layer2.1.conv2``."""
    with torch.inference_mode():
        x = model.layer1(model.maxpool(model.relu(model.bn1(model.conv1(images)))))
        x = model.layer2[0](x)
        block = model.layer2[1]
        return block.conv2(block.relu(block.bn1(block.conv1(x))))


def plainly(model: Any, images: torch.Tensor) -> torch.Tensor:
    """Run the model alone, without a graph or fused attention."""
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(value=False)
    try:
        with torch.no_grad():
            return model(images)
    finally:
        torch.backends.mha.set_fastpath_enabled(value=fast)


def hooked(
    model: Any, images: torch.Tensor, keep: Callable[[Any], Any] | None, *, inputs: bool = False
) -> torch.Tensor:
    """Run the plain model with a bare hook at every layer.

    Each hook keeps what ``keep`` returns; without ``keep`` it does nothing.
    """
    kept: list[Any] = []
    handles = []
    for layer in list(model.modules())[1:]:
        if keep is None:
            handles.append(layer.register_forward_hook(lambda *_: None))
            continue
        if inputs:
            handles.append(layer.register_forward_pre_hook(lambda _, given: kept.append(keep(given))))
        handles.append(layer.register_forward_hook(lambda _, __, output: kept.append(keep(output))))
    try:
        return plainly(model, images)
    finally:
        for handle in handles:
            handle.remove()


def cloned(value: Any) -> Any:
    """Return a value with every tensor in it copied at once."""
    if isinstance(value, tuple):
        return tuple(cloned(part) for part in value)
    return value.clone() if isinstance(value, torch.Tensor) else value


def shared(value: Any) -> Any:
    """Return a value whose tensors are copied on the first write."""
    if isinstance(value, tuple):
        return tuple(shared(part) for part in value)
    return torch._lazy_clone(value) if isinstance(value, torch.Tensor) else value  # noqa: SLF001


def one_layer(layers: LayerActivations, images: torch.Tensor) -> torch.Tensor:
    with layers.capture(LAYER) as record:
        layers.run(images, until=LAYER)
    return record[LAYER].output


def every_layer(layers: LayerActivations, images: torch.Tensor, **options: bool) -> torch.Tensor:
    with layers.capture(**options):
        return layers.run(images)


def milliseconds(work: Callable[[], torch.Tensor]) -> float:
    start = process_time()
    work()
    return 1000 * (process_time() - start)


def compared(sides: list[Callable[[], torch.Tensor]], rounds: int) -> list[tuple[float, float]]:
    """Return each side's median milliseconds and median ratio to the last.

    Equal results are checked.
    """
    results = [side() for side in sides]
    if not all(torch.equal(result, results[-1]) for result in results):
        raise SystemExit("the sides of a comparison do not compute the same")
    found = []
    for number in range(rounds):
        first = number % len(sides)
        turns = [*range(first, len(sides)), *range(first)]
        took = {turn: milliseconds(sides[turn]) for turn in turns}
        found.append([took[turn] for turn in range(len(sides))])
    return [
        (median(row[side] for row in found), median(row[side] / row[-1] for row in found))
        for side in range(len(sides))
    ]


def one_of(model: Any, rounds: int) -> None:
    layers, images = LayerActivations(model, device="cpu"), torch.rand(1, 3, 224, 224)
    (mine, ratio), (other, _) = compared(
        [lambda: one_layer(layers, images), lambda: by_hand(model, images)], rounds
    )
    print("| ResNet-50, one 224×224 picture | CPU ms | by hand, CPU ms | ratio | goal |")
    print("| --- | ---: | ---: | ---: | ---: |")
    print(f"| capture of {LAYER} | {mine:.1f} | {other:.1f} | {ratio:.2f} | ≤ {GOAL} |")
    print()


def all_of(name: str, model: Any, rounds: int) -> None:
    layers, images = LayerActivations(model, device="cpu"), torch.rand(1, 3, 224, 224)
    sides = {
        "capture": lambda: every_layer(layers, images),
        "hooks that clone": lambda: hooked(model, images, cloned),
        "hooks that do nothing": lambda: hooked(model, images, None),
        "hooks that keep, wrong after a write": lambda: hooked(model, images, lambda value: value),
        "hooks that copy on a write": lambda: hooked(model, images, shared),
        "capture, inputs too": lambda: every_layer(layers, images, inputs=True),
        "hooks that clone, inputs too": lambda: hooked(model, images, cloned, inputs=True),
        "plain": lambda: plainly(model, images),
    }
    found = dict(zip(sides, compared(list(sides.values()), rounds), strict=True))
    plain = found.pop("plain")[0]
    for label, (mine, ratio) in found.items():
        goal = f"≤ {GOALS_OF_ALL[name]}" if label == "capture" and name in GOALS_OF_ALL else ""
        row = [
            f"{name}, {len(layers.names)} layers",
            label,
            f"{mine:.0f}",
            f"{plain:.0f}",
            f"{ratio:.2f}",
            goal,
        ]
        print(f"| {' | '.join(row)} |")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument(
        "--threads", type=int, default=1, help="of torch: several wait for each other, busily"
    )
    rounds, threads = (asked := options.parse_args()).rounds, asked.threads
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    one_of(resnet50(weights=None).eval(), rounds)
    print("| all layers, one 224×224 picture | way | CPU ms | plain model, CPU ms | ratio | goal |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for name, make in MODELS.items():
        all_of(name, make(weights=None).eval(), rounds)


if __name__ == "__main__":
    main()
