"""Lesson 0: the last layers of a transformer, and hooks by type and by name.

Run it from any folder: ``python docs/lessons/00_last_layers.py``. The text to it is in ``docs/hooks-1.md``.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

import torch
from torch import Tensor, nn

sys.path.append(f"{Path(__file__).parent}/../..")  # finds viz from any folder, without installing anything

from viz.lessons.last_layers import (
    Encoder,
    TwoLinears,
    by_capture,
    by_name,
    by_type,
    complaint,
    last_by_capture,
    last_by_hand,
    last_by_hook,
    reach_of_a_neighbour,
)


def main() -> None:
    """Print every number of the lesson with a sentence."""
    torch.manual_seed(0)
    model, patches = Encoder().eval(), torch.randn(2, 196, 768)
    hook, capture, hand = (way(model, patches, 8) for way in (last_by_hook, last_by_capture, last_by_hand))
    print(f"The last 8 layers, stacked (K, batch, tokens, width): {tuple(capture.shape)}.")
    print(f"Capture = hooks: {torch.equal(capture, hook)}; capture = by hand: {torch.equal(capture, hand)}.")
    print("Sample 0 moves when only sample 1 changes")
    print(
        f"  without batch_first by {reach_of_a_neighbour(batch_first=False):.3f}: the batch counts as tokens,"
    )
    print(f"  with batch_first=True by {reach_of_a_neighbour(batch_first=True):.3f}.\n")
    _print_two_linears()


def _print_two_linears() -> None:
    x, net = torch.tensor([[2.0, 3.0]]), TwoLinears()
    result, _, gave = net(x)
    print(f"TwoLinears gives {_numbers(gave)} and at last, from ReLU6, {result.tolist()}.")
    print(f"Hooks on every layer but ReLU6 saw {_numbers(by_type(net, x)[1])}.")
    print(f"A capture of the same types saw    {_numbers(by_capture(net, [nn.Linear, nn.ReLU], x)[1])}.")
    took, gave = by_capture(net, ["relu6"], x)
    print(f"The layer named relu6 took {_numbers(took)} and gave {_numbers(gave)}.")
    print(f"The misspelt name relu_6 placed {len(by_name(net, 'relu_6', x)[0])} plain hooks: silence.")
    print("LayerActivations says:", complaint(net, "relu_6"))


def _numbers(values: Iterable[Tensor]) -> list[list[float]]:
    return [value.flatten().tolist() for value in values]


if __name__ == "__main__":
    main()
