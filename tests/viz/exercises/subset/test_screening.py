"""Sizes of results are counted before they are made."""

from itertools import product
from math import prod
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from viz.exercises.refusal import CodeError
from viz.exercises.subset.screening import take_together

SIDES = (0, 1, 2, 3)
SHAPES = [(), *product(SIDES), *product(SIDES, SIDES), (2, 1, 3)]


@pytest.mark.parametrize("left", SHAPES)
def test_a_result_is_counted_as_pytorch_will_make_it(left: tuple[int, ...]) -> None:
    """Against PyTorch's own broadcasting, with a side of no length as one; and what it refuses is refused."""
    for right in SHAPES:
        counted: list[int] = []
        session: Any = SimpleNamespace(take=counted.append)
        tensors = torch.zeros(left), 7, torch.zeros(right)
        try:
            shape = torch.broadcast_shapes(left, right)
        except RuntimeError:
            with pytest.raises(CodeError, match="do not fit together"):
                take_together(session, *tensors)
            assert counted == []
        else:
            take_together(session, *tensors)
            assert counted == [prod(max(side, 1) for side in shape)]
