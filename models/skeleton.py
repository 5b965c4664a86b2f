"""Models with shapes and no numbers, made in a moment."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.nn import init
from torch.overrides import TorchFunctionMode

__all__ = ["without_numbers"]

# The functions with which constructors fill their first weights: on the device without memory these change
# nothing, and take most of the time.
_DRAWN = (Tensor.uniform_, Tensor.normal_, Tensor.erfinv_)
_CHANGED = (Tensor.mul_, Tensor.add_, Tensor.clamp_, Tensor.zero_, Tensor.fill_)
# These call the others where no mode sees it, with the tensor by its name.
_FILLED = (init.uniform_, init.normal_, init.constant_, init.kaiming_uniform_)
_INITIALISING = frozenset((*_DRAWN, *_CHANGED, *_FILLED))


class _UninitialisedMode(TorchFunctionMode):
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        del types
        named = kwargs or {}
        if func in _INITIALISING and (changed := args[0] if args else named["tensor"]).is_meta:
            return changed
        return func(*args, **named)


@contextmanager
def without_numbers() -> Iterator[None]:
    """Make models in this block with shapes only.

    Constructors that compute with the numbers they make raise a ``RuntimeError``.
    """
    with torch.device("meta"), _UninitialisedMode():
        yield
