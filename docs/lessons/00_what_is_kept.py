"""Lesson 0, second half: the value that a hook keeps. References, ``clone``, ``detach`` and copies.

Run it from any folder: ``python docs/lessons/00_what_is_kept.py``. The text to it is in ``docs/hooks-1.md``.
"""

import sys
from pathlib import Path

import torch

sys.path.append(f"{Path(__file__).parent}/../..")  # finds viz from any folder, without installing anything

from viz.lessons.what_is_kept import (
    copies_by_capture,
    fate,
    references_by_hook,
    relu_by_hand,
    small_net,
    ways_to_keep,
)


def main() -> None:
    """Print every number of the lesson with a sentence."""
    torch.manual_seed(0)
    model, x = small_net(), torch.rand(2, 3, 224, 224) - 0.5
    relu, end = relu_by_hand(model, x)
    print(f"The ReLU's output, by hand: {tuple(relu.shape)}; the net's: {tuple(end.shape)}.")
    normed, same = references_by_hook(model, x)
    print(f"A hook on the ReLU sees the same: {torch.equal(same, relu)}.")
    print(f"Batch norm's output, kept as a reference: minimum {float(normed.min()):.3f}, and equal to the")
    print(f"  ReLU's: {torch.equal(normed, relu)}. The ReLU works in place and has overwritten it.")
    print(f"What batch norm really gave: minimum {float(copies_by_capture(model, x)[0].min()):.3f}.\n")
    print("Ways to keep the value [1, 2, 3], of which the original is then overwritten with zeros:")
    for kept in map(fate, ways_to_keep()):
        memory = "shares memory" if kept.shares_memory else "own memory   "
        gradient = "gradient flows" if kept.gradient else "cut off       "
        print(f"  {kept.way:22} {memory}  {gradient}  later {kept.later}")


if __name__ == "__main__":
    main()
