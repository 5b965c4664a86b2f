"""Models without numbers: their constructors ask PyTorch for shapes, and for nothing that fills them."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from models.skeleton import without_numbers

MADE: dict[str, Callable[[], nn.Module]] = {
    "a convolution": lambda: nn.Conv2d(3, 4, 5),
    "a linear layer": lambda: nn.Linear(4, 5),
    "a normalisation": lambda: nn.BatchNorm2d(3),
    "an embedding": lambda: nn.Embedding(5, 3),
    "weights of one's own": lambda: drawn(nn.Linear(4, 5)),
}
FILLING = {"uniform_", "normal_", "fill_", "zero_", "erfinv_", "mul_", "add_", "clamp_"}


def drawn(layer: nn.Linear) -> nn.Linear:
    """A layer whose weights are drawn once more, as nets of their own do."""
    for fill in (nn.init.uniform_, nn.init.normal_, nn.init.kaiming_uniform_, nn.init.trunc_normal_):
        assert fill(layer.weight) is layer.weight
    nn.init.constant_(layer.bias, 3)
    return layer


class Operations(TorchDispatchMode):
    """Counts what PyTorch is asked to do, by name."""

    def __init__(self) -> None:
        super().__init__()
        self.names: Counter[str] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Count it and do it."""
        self.names[func.overloadpacket.__name__] += 1
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("name", MADE)
def test_nothing_is_drawn_for_weights_that_have_no_numbers(name: str) -> None:
    """Every constructor gives its weights numbers elsewhere, and here shapes alone."""
    with Operations() as usual:
        expected = MADE[name]()
    with Operations() as here, without_numbers():
        made = MADE[name]()
    shapes = [{key: value.shape for key, value in net.state_dict().items()} for net in (made, expected)]
    assert shapes[0] == shapes[1]
    assert all(weight.is_meta for weight in made.parameters())
    assert FILLING & usual.names.keys()
    assert not FILLING & here.names.keys()


def test_weights_with_numbers_are_filled_as_ever() -> None:
    """Those that a constructor has on another device."""
    with without_numbers():
        weight = nn.init.constant_(torch.empty(3, device="cpu"), 2)
    assert weight.tolist() == [2, 2, 2]
