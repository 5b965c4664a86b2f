"""Lesson 3: the gradient that a tensor hook sees, a hook that changes it, and a convolution to check by head.

Run it from any folder: ``python docs/lessons/03_seeing_gradients.py``. The text to it is in
``docs/hooks-2.md``.
"""

import sys
from pathlib import Path

import torch

sys.path.append(f"{Path(__file__).parent}/../..")  # finds viz from any folder, without installing anything

from viz.lessons.seeing_gradients import (
    after_two_passes,
    doubled_by_edit,
    doubled_by_hook,
    gradient_by_capture,
    gradient_by_hook,
    maps_by_capture,
    maps_by_hook,
    plain_gradient,
)


def main() -> None:
    """Print every number of the lesson with a sentence."""
    seen = gradient_by_hook()
    print("x = [2, 2, 2, 2], y = x², z = mean(y). Backward from z:")
    print(f"  the hook on y saw {seen.gradient}, and y.grad is {seen.stored}: y is no leaf;")
    print(f"  a capture of the layer y with gradients saw {gradient_by_capture()}.")
    print(f"  x's gradient is {plain_gradient()},")
    print(f"  doubled by a hook on x {doubled_by_hook()}, by an edit {doubled_by_edit()}.")
    print(f"  Two passes without a hook give {after_two_passes()} too: they add up.\n")
    hooked, captured = maps_by_hook(), maps_by_capture()
    print(f"A picture of ones, {tuple(hooked.inputs[0].shape)}, arrives in a {type(hooked.inputs).__name__}.")
    print(f"conv1 gives maps {tuple(hooked.maps.shape)}: {hooked.maps.flatten(2).tolist()[0]},")
    print(f"pooled {tuple(hooked.pooled.shape)}: {hooked.pooled.flatten().tolist()}.")
    same = torch.equal(hooked.maps, captured.maps) and torch.equal(hooked.inputs[0], captured.inputs[0])
    print(f"By capture the same: {same}.")


if __name__ == "__main__":
    main()
