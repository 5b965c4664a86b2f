"""Questions of a model's own code about tensors' values: ``if x.max() > 1``, ``x.item()``, ``x.tolist()``.

Such a model may go one way for one input and another way for the next. Several inputs in one batch then go
one way together, which need not be that of each of them alone. The same holds for a choice that stays in
tensors, if it comes from a number that is made of the whole batch.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from ..hooks.functional import Place
from ..hooks.taps import Tap

# Functions that turn many values into Python's own without an operation, or choose between functions.
_CALLS = frozenset({"tolist", "numpy", "__array__", "__dlpack__", "__format__", "cond", "while_loop"})
# Operations that turn values into Python's own, whoever runs them: TorchScript is no Python.
_OPERATIONS = frozenset({"_local_scalar_dense", "equal"})


class Questions(Tap):
    """Notes whether a run turned values of tensors into Python's own."""

    needs_inputs = False

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self.asked = False

    @contextmanager
    def around(self) -> Iterator[None]:
        """Listen to torch for one run."""
        with _CallListener(self), _OperationListener(self):
            yield


class _CallListener(TorchFunctionMode):
    def __init__(self, questions: Questions) -> None:
        super().__init__()
        self._questions = questions

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Call the function, and note it if it is one of these."""
        del types
        if getattr(func, "__name__", "") in _CALLS:
            self._questions.asked = True
        return func(*args, **(kwargs or {}))


class _OperationListener(TorchDispatchMode):
    supports_higher_order_operators = True  # such as ``cond``

    def __init__(self, questions: Questions) -> None:
        super().__init__()
        self._questions = questions

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Say no: see ``viz.receptive.tracing.Tracing``."""
        return False

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Return True, so that functions that compile themselves still run."""
        return True

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Run the operation, and note it if it is one of these."""
        del types
        if isinstance(func, torch._ops.OpOverload) and (  # noqa: SLF001  (the type of most operations)
            func.overloadpacket.__name__ in _OPERATIONS or _crosses_rows(func, args, kwargs or {})
        ):
            self._questions.asked = True
        return func(*args, **(kwargs or {}))


def _crosses_rows(func: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Check for a number made of a whole tensor, or batch."""
    if torch.Tag.reduction not in func.tags:
        return False
    names = (each.name for each in func._schema.arguments)  # noqa: SLF001  (names them)
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    tensor, chosen = given["self"], given.get("dim")
    axes = [chosen] if isinstance(chosen, int) else chosen or range(tensor.ndim)
    gone = {axis % tensor.ndim for axis in axes} if tensor.ndim else set()
    return bool(gone) and (len(gone) == tensor.ndim or (0 in gone and len(tensor) == 1))
