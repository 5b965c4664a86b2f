"""Questions of a model's own code about tensors' values: ``if x.max() > 1``, ``x.item()``, ``x.tolist()``.

Such a model may go one way for one input and another way for the next. Several inputs in one batch then go
one way together, which need not be that of each of them alone. The same holds for a choice that stays in
tensors, if it comes from a number that is made of the whole batch, by a reduction or an order of its values;
other ways to mix a batch's rows go unnoticed. What is made of weights and constants alone is the same for
every input, so it may be asked.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from torch._ops import OpOverload
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from ..hooks.functional import Place
from ..hooks.taps import Tap
from ..hooks.values.gradients import has_memory, memory_of

# Functions that turn many values into Python's own without an operation, or choose between functions.
_CALLS = frozenset({"tolist", "numpy", "__array__", "__dlpack__", "__format__", "cond", "while_loop"})
# Operations that turn values into Python's own, whoever runs them: TorchScript is no Python.
_OPERATIONS = frozenset({"_local_scalar_dense", "equal"})
# Operations that make a number of many, too, but have not PyTorch's tag of reductions.
_ORDERS = frozenset(
    {"median", "nanmedian", "quantile", "nanquantile", "kthvalue", "mode"}
    | {"sort", "msort", "argsort", "topk"}
)


class Questions(Tap):
    """Notes whether a run turned values of tensors into Python's own.

    The values of its layers' weights do not count, and what these layers return always does.
    """

    needs_inputs = False

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self.asked = False
        self._fixed: set[int] = set()  # memories that only weights and constants have been written into

    @contextmanager
    def around(self) -> Iterator[None]:
        """Listen to torch for one run."""
        layers = [place for place in self.layers if isinstance(place, nn.Module)]
        self._fixed = memory_of([[*layer.parameters(), *layer.buffers()] for layer in layers])
        with _CallListener(self), _OperationListener(self):
            yield

    def after(self, name: str, output: Any) -> Any:
        """Note that this output may be another one."""
        del name
        self._fixed -= memory_of(output)
        return output

    def concern(self, values: Any) -> bool:
        """Return whether any tensor among values may depend on the input."""
        return any(not has_memory(tensor) or memory_of(tensor) - self._fixed for tensor in _tensors(values))

    def follow(self, given: Any, made: Any, written: Any) -> None:
        """Note what an operation made, or wrote, of what it was given."""
        new = memory_of(_tensors(made))
        if self.concern(given):
            self._fixed -= memory_of(_tensors(written)) | (new - memory_of(_tensors(given)))
        else:
            self._fixed |= new


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
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") in _CALLS and self._questions.concern((args, kwargs)):
            self._questions.asked = True
        return func(*args, **kwargs)


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
        given = _by_name(func, args, kwargs or {})
        if _asks(func, given) and self._questions.concern(given):
            self._questions.asked = True
        made = func(*args, **(kwargs or {}))
        self._questions.follow(given, made, _written(func, given))
        return made


def _tensors(values: Any) -> list[torch.Tensor]:
    """Return the tensors in plain containers, which are all that operations know."""
    return [value for value in tree_leaves(values) if isinstance(value, torch.Tensor)]


def _by_name(func: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of an operation's arguments by their names."""
    if func == torch.ops.aten.lift_fresh.default:  # ``torch.tensor`` calls it for a constant that it has made
        return {}
    arguments = _arguments(func)
    names = [each.name for each in arguments] or map(str, range(len(args)))
    defaults = {each.name: each.default_value for each in arguments if each.has_default_value()}
    return {**defaults, **dict(zip(names, args, strict=False)), **kwargs}


def _written(func: Any, given: Mapping[str, Any]) -> list[Any]:
    """Return the values that an operation writes into."""
    return [given[each.name] for each in _arguments(func) if each.alias_info and each.alias_info.is_write]


def _arguments(func: Any) -> list[Any]:
    """Return the schema of an operation's arguments; nothing for ``cond``'s kind."""
    return func._schema.arguments if isinstance(func, OpOverload) else []  # noqa: SLF001


def _asks(func: Any, given: Mapping[str, Any]) -> bool:
    if not isinstance(func, OpOverload):
        return False
    name = func.overloadpacket.__name__
    makes_few = name in _ORDERS or torch.Tag.reduction in func.tags
    return name in _OPERATIONS or (makes_few and _crosses_rows(given["self"], given.get("dim")))


def _crosses_rows(tensor: torch.Tensor, chosen: Any) -> bool:
    """Check whether these axes are a whole tensor's, or a batch's."""
    axes = [chosen] if isinstance(chosen, int) else chosen or range(tensor.ndim)
    gone = {axis % tensor.ndim for axis in axes} if tensor.ndim else set()
    return bool(gone) and (len(gone) == tensor.ndim or (0 in gone and len(tensor) == 1))
