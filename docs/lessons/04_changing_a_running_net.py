"""Lesson 4: gradients changed on their way, pooled activations, and three kinds of hook in a running net.

Run it from any folder: ``python docs/lessons/04_changing_a_running_net.py``. The text to it is in
``docs/hooks-2.md``.
"""

import sys
from pathlib import Path

import torch

sys.path.append(f"{Path(__file__).parent}/../..")  # finds viz from any folder, without installing anything

from viz.lessons.changing_a_running_net import (
    PLAIN,
    SmallNet,
    in_place_on_a_sum,
    outcome,
    outcome_by_edit,
    plus_hundred_in_place,
    plus_two,
    pooled_by_capture,
    pooled_by_hook,
    product,
    product_by_edit,
    total,
)


def main() -> None:
    """Print every number of the lesson with a sentence."""
    print("c = a · b at a = 7, b = 13: gradients of a, b, c are", tuple(product()))
    print("  with a hook on c that adds 2:", tuple(product(plus_two)), "and by an edit:", end=" ")
    print(tuple(product_by_edit(plus_two)), "\n")
    print("c = a + b: gradients of a, b and the caller's own tensor:     ", tuple(total()))
    print("  a hook on a that returns its gradient + 2:           ", tuple(total(plus_two)))
    print("  a hook on a that adds 100 in place, to all three:", tuple(total(plus_hundred_in_place)))
    print(f"  and on the gradient of a sum(): {in_place_on_a_sum()[:99]}...\n")
    torch.manual_seed(0)
    net, pictures = SmallNet().eval(), torch.randn(1, 3, 10, 10)
    pooled = pooled_by_hook(net, pictures)
    print(f"pool gives {tuple(pooled.shape)}; by capture the same:", end=" ")
    print(f"{torch.equal(pooled, pooled_by_capture(net, pictures))}.")
    plain = outcome(net, pictures)
    print("What changes the pooling layer; the net's result; the norm of the gradient at the picture:")
    print(f"  {'nothing':14} {plain.result.item():8.4f} {plain.gradient.norm():8.4f}")
    for kind in PLAIN:
        hooked, ours = outcome(net, pictures, kind), outcome_by_edit(net, pictures, kind)
        same = all(map(torch.allclose, hooked, ours))
        numbers = f"{hooked.result.item():8.4f} {hooked.gradient.norm():8.4f}"
        print(f"  {kind:14} {numbers}   an edit does the same: {same}")


if __name__ == "__main__":
    main()
