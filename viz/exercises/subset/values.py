"""Values for an answer's names, beside Python's own and tensors."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from ...sentences import Sentence


@dataclass(eq=False)
class Scope:
    """Names and values of an answer, or of a function's call."""

    values: dict[str, Any] = field(default_factory=dict)
    outer: "Scope | None" = None
    outside: set[str] = field(default_factory=set)  # which names ``global`` says belong to the answer

    @property
    def top(self) -> "Scope":
        """The names of the whole answer."""
        return self if self.outer is None else self.outer.top


@dataclass(frozen=True, eq=False)
class Function:
    """A function that the visitor wrote."""

    name: str
    parameters: tuple[str, ...]
    body: list[ast.stmt] | ast.expr
    scope: Scope = field(repr=False)


@dataclass(frozen=True, eq=False)
class NativeFunction:
    """A function of ours that an answer may call.

    It gets the session, and then the arguments.
    """

    name: str
    call: Callable[..., Any] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Layer:
    """A layer of the net, as an answer sees it: see ``attributes``."""

    module: nn.Module = field(repr=False)
    name: str
    children: "dict[str, Layer]" = field(repr=False)

    @property
    def type(self) -> str:
        """The name of its class."""
        return type(self.module).__name__

    @property
    def row(self) -> "list[Layer] | None":
        """The layers below it, in their order, or None.

        None if PyTorch cannot count them and go through them.
        """
        counted = isinstance(self.module, nn.Sequential | nn.ModuleList)
        return list(self.children.values()) if counted else None


@dataclass(eq=False)
class Handle:
    """Handle of a registered hook.

    Attributes:
        hook: PyTorch's own handle; None for a hook that is only told of.
        kind: the kind of the hook.
        where: its layer's name; empty for a hook on a tensor.
        line: the line that registered it.
        removed: whether it has been removed.
    """

    hook: RemovableHandle | None = field(repr=False)
    kind: str
    where: str
    line: int = 0
    removed: bool = False


class Namespace:
    """Functions behind one name, such as ``torch``."""

    def __init__(self, name: str, functions: dict[str, NativeFunction]) -> None:
        self.name, self.functions = name, functions


class NoGradContext:
    """Result of ``torch.no_grad()``, for ``with`` alone."""


class IndexedValues(tuple[Tensor, Tensor]):
    """The values and indices that ``max``, ``min`` and ``topk`` return."""

    __slots__ = ()


_KINDS: dict[type, Sentence] = {
    Tensor: Sentence("a tensor"),
    list: Sentence("a list"),
    tuple: Sentence("a tuple"),
    dict: Sentence("a dict"),
    str: Sentence("a text"),
    int: Sentence("a whole number"),
    float: Sentence("a number"),
    bool: Sentence("True or False"),
    type(None): Sentence("None"),
    range: Sentence("a range"),
    Function: Sentence("a function"),
    NativeFunction: Sentence("a function that was not called, for want of brackets"),
    Layer: Sentence("a layer"),
    Handle: Sentence("a handle"),
    IndexedValues: Sentence("values with their indices"),
}


def kind_of(value: object) -> str:
    """Return the kind of a value, in words."""
    return _KINDS.get(type(value), Sentence("something else"))
