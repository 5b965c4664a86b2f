"""Questions of a model's own code about tensors' values: ``if x.max() > 1``, ``x.item()``, ``x.tolist()``.

Such a model may go one way for one input and another way for the next. Several inputs in one batch then go
one way together, which need not be that of each of them alone.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from torch.overrides import TorchFunctionMode

from ..hooks.functional import Place
from ..hooks.taps import Tap

# Functions that turn a tensor's values into Python's own, on which alone its branches can depend.
_TO_PYTHON = frozenset(
    {"__bool__", "__int__", "__float__", "__complex__", "__index__", "__contains__", "__array__"}
    | {"item", "tolist", "numpy", "is_nonzero", "equal", "allclose"}
)


class Questions(Tap):
    """Notes whether a run turned values of tensors into Python's own."""

    needs_inputs = False

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self.asked = False

    def around(self) -> AbstractContextManager[Any]:
        """Listen to torch for one run."""
        return _FunctionListener(self)


class _FunctionListener(TorchFunctionMode):
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
        if getattr(func, "__name__", "") in _TO_PYTHON:
            self._questions.asked = True
        return func(*args, **(kwargs or {}))
