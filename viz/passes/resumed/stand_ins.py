"""Layers that return something given instead of running."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch
from torch import nn

from ...hooks.functional import Place
from ...hooks.taps import Tap

FORWARD = "forward"


class StandIns(Tap):
    """Tap that replaces layers' outputs by given ones in this thread.

    Their hooks see these as ever.

    Args:
        layers: any layer of the model: a tap needs one.
        given: each layer's output, returned as a copy. A tensor on the device ``meta`` has a shape and no
            values, so whatever needs some fails, or has none itself: no wrong number can come of it.
    """

    needs_inputs = False

    def __init__(self, layers: Mapping[Place, str], given: Mapping[nn.Module, torch.Tensor]) -> None:
        super().__init__(layers)
        self._given = given

    def around(self) -> AbstractContextManager[Any]:
        """See ``Tap``."""
        return standing_in(self._given)


@contextmanager
def standing_in(given: Mapping[nn.Module, torch.Tensor]) -> Iterator[None]:
    """Replace the layers' ``forward`` inside a block.

    It is looked up whenever a layer is called.
    """
    before = [(vars(layer), vars(layer).get(FORWARD)) for layer in given]
    try:
        for layer, output in given.items():
            vars(layer)[FORWARD] = _returning(output)
        yield
    finally:
        for own, forward in before:
            if forward is None:
                own.pop(FORWARD, None)
            else:
                own[FORWARD] = forward


def _returning(output: torch.Tensor) -> Any:
    def forward(*_: Any, **__: Any) -> torch.Tensor:
        return output.clone()  # a layer behind may write into it

    return forward
