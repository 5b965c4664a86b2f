"""Operations without a layer: what ``F.relu``, ``+`` or ``cat`` returned, and whose code called them.

Hooks see layers only. A ``TorchFunctionMode`` sees every function of torch that is given a tensor; together
with hooks that tell which layer is running, an operation gets a name: ``layer1.0 › add``, its second call
there ``layer1.0 › add 2``, and ``› relu`` where the model's own ``forward`` called it.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from torch import nn
from torch.overrides import TorchFunctionMode

from .gradients import recomputing
from .structure import leaves
from .taps import Tap

SEPARATOR = "›"
# Functions that return the same numbers, or ask about them.
_SILENT = frozenset(
    {"get", "set", "size", "dim", "numel", "stride", "to", "type", "float", "half", "contiguous", "detach"}
    | {"clone", "tolist", "item", "is_floating_point", "requires_grad", "new_zeros", "new_ones", "expand_as"}
    | {"zeros_like", "ones_like", "empty_like", "type_as", "setitem", "unbind", "has_names", "data_ptr"}
)
_OPERATORS = frozenset({"add", "sub", "mul", "truediv", "floordiv", "matmul", "pow", "mod"})


def operation_name(layer: str, function: str, turn: int) -> str:
    """The name of the ``turn``-th call, from 1, of a function in a layer's own code; ``""`` is the model."""
    number = f" {turn}" if turn > 1 else ""
    return f"{layer} {SEPARATOR} {function}{number}".lstrip()


def calling_layer(name: str) -> str:
    """The layer whose code called an operation; ``""`` for the model's own."""
    return name.partition(SEPARATOR)[0].rstrip()


def is_operation(name: str) -> bool:
    """Whether a name is an operation's."""
    return SEPARATOR in name


class OperationTap(Tap):
    """Shows a function every operation of a run as it ends: its name and what it returned."""

    def __init__(self, layers: Mapping[nn.Module, str], see: Callable[[str, Any], None]) -> None:
        super().__init__(layers)
        self._see = see
        # One of torch's layers without layers inside is one operation: its output says it all.
        self._closed = {name for layer, name in layers.items() if _is_one_operation(layer)}
        self._running: list[str] = []
        self._turns: Counter[tuple[str, str]] = Counter()

    def start(self) -> None:
        """Forget what an earlier run left behind."""
        self._running.clear()
        self._turns.clear()

    def around(self) -> AbstractContextManager[Any]:
        """The mode that shows this tap the operations of one run."""
        return _Listening(self)

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Note which layer runs."""
        self._running.append(name)
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Note that the layer has ended."""
        if self._running and self._running[-1] == name:
            self._running.pop()
        return output

    def called(self, function: Callable[..., Any], output: Any) -> None:
        """Show an operation, unless it is a layer's only one or computes nothing."""
        layer, name = self._running[-1] if self._running else "", plain_name(function)
        if layer in self._closed or name in _SILENT or not name or recomputing():
            return
        if any(tensor.dim() for tensor in leaves(output).values()):
            self._turns[layer, name] += 1
            self._see(operation_name(layer, name, self._turns[layer, name]), output)


class _Listening(TorchFunctionMode):
    """Tells a tap about every function of torch that this thread calls."""

    def __init__(self, tap: OperationTap) -> None:
        super().__init__()
        self._tap = tap

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call the function, then report it."""
        del types
        output = func(*args, **(kwargs or {}))
        self._tap.called(func, output)
        return output


def plain_name(function: Callable[..., Any]) -> str:
    """A function's name as people write it: ``add`` for ``__iadd__``, ``add_`` and ``+``."""
    name = getattr(function, "__name__", "").strip("_")
    return name[1:] if name[:1] in {"i", "r"} and name[1:] in _OPERATORS else name


def _is_one_operation(layer: nn.Module) -> bool:
    package = type(layer).__module__.partition(".")[0]
    return package in {"torch", "torchvision"} and next(layer.children(), None) is None
