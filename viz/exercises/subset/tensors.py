"""The functions of PyTorch that an answer may call, each named here.

None is found by a visitor's word.
"""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from ...sentences import Sentence
from ..refusal import CodeError
from .bounds import MOST_LISTED
from .screening import screened, shape_of, take_together
from .session import Session
from .values import Function, Handle, IndexedValues, NativeFunction, NoGradContext

_SAME_OR_SMALLER: Mapping[str, Callable[..., Any]] = {
    "abs": torch.abs,
    "all": torch.all,
    "amax": torch.amax,
    "amin": torch.amin,
    "any": torch.any,
    "argmax": torch.argmax,
    "argmin": torch.argmin,
    "clamp": torch.clamp,
    "exp": torch.exp,
    "flatten": torch.flatten,
    "flip": Tensor.flip,
    "log": torch.log,
    "max": torch.max,
    "mean": torch.mean,
    "median": torch.median,
    "min": torch.min,
    "norm": torch.norm,
    "relu": torch.relu,
    "reshape": Tensor.reshape,
    "roll": Tensor.roll,
    "round": torch.round,
    "sigmoid": torch.sigmoid,
    "sign": torch.sign,
    "softmax": torch.softmax,
    "sqrt": torch.sqrt,
    "squeeze": torch.squeeze,
    "std": torch.std,
    "sum": torch.sum,
    "tanh": torch.tanh,
    "topk": torch.topk,
    "transpose": torch.transpose,
    "unsqueeze": torch.unsqueeze,
    "var": torch.var,
}
"""What makes nothing larger than the first tensor: functions of ``torch`` that are methods of tensors too."""

_METHODS_ONLY: Mapping[str, Callable[..., Any]] = {
    "add_": Tensor.add_,
    "backward": Tensor.backward,
    "bool": Tensor.bool,
    "clamp_": Tensor.clamp_,
    "clone": Tensor.clone,
    "contiguous": Tensor.contiguous,
    "copy_": Tensor.copy_,
    "detach": Tensor.detach,
    "dim": Tensor.dim,
    "div_": Tensor.div_,
    "fill_": Tensor.fill_,
    "float": Tensor.float,
    "int": Tensor.int,
    "item": Tensor.item,
    "long": Tensor.long,
    "mul_": Tensor.mul_,
    "numel": Tensor.numel,
    "permute": Tensor.permute,
    "relu_": Tensor.relu_,
    "requires_grad_": Tensor.requires_grad_,
    "retain_grad": Tensor.retain_grad,
    "sub_": Tensor.sub_,
    "t": Tensor.t,
    "view": Tensor.view,
    "zero_": Tensor.zero_,
}
_LARGEST = (
    torch.return_types.max,
    torch.return_types.min,
    torch.return_types.median,
    torch.return_types.topk,
)


def _plain_native(name: str, function: Callable[..., Any]) -> NativeFunction:
    def call(session: Session, tensor: Any, *given: Any, **named: Any) -> Any:
        if type(tensor) is not Tensor:
            raise CodeError(Sentence("`{name}` works on a tensor.", name=name))
        screened(name, given, named)
        take_together(session, tensor, *given, *named.values())
        return ours(function(tensor, *given, **named))

    return NativeFunction(name, call)


def ours(value: Any) -> Any:
    """Return PyTorch's result as a value that an answer may have.

    Raises:
        CodeError: it is nothing that an answer may have.
    """
    if isinstance(value, _LARGEST):
        return IndexedValues((value[0], value[1]))
    if type(value) is Tensor or value is None or type(value) in (int, float, bool):
        return value
    raise CodeError(Sentence("This returns something that these exercises do not know."))


def _size(_: Session, tensor: Tensor, dim: int | None = None) -> Any:
    return tuple(tensor.shape) if dim is None else tensor.shape[dim]


def _tolist(_: Session, tensor: Tensor) -> Any:
    if tensor.numel() > MOST_LISTED:
        raise CodeError(Sentence("Only up to {most} numbers become a list.", most=MOST_LISTED))
    return tensor.tolist()


def _same(_: Session, tensor: Any, other: Any) -> bool:
    if type(tensor) is not Tensor or type(other) is not Tensor:
        raise CodeError(Sentence("`{name}` compares two tensors.", name="torch.equal"))
    return torch.equal(tensor, other)


def _close(_: Session, tensor: Any, other: Any) -> bool:
    if type(tensor) is not Tensor or type(other) is not Tensor:
        raise CodeError(Sentence("`{name}` compares two tensors.", name="torch.allclose"))
    return tensor.shape == other.shape and torch.allclose(tensor, other)


def _register_hook(session: Session, tensor: Tensor, function: Any) -> Handle:
    """Register a hook on a tensor, for its gradient."""
    if type(function) is not Function or len(function.parameters) != 1:
        raise CodeError(Sentence("A hook of a tensor is a function of one parameter: `def hook(grad)`."))

    def called(gradient: Tensor) -> Any:
        found = session.call(function, [gradient])
        if found is None or type(found) is Tensor:
            return found
        raise CodeError(Sentence("A hook of a tensor returns a tensor, or nothing."))

    return session.keep(Handle(tensor.register_hook(called), "tensor", ""))


METHODS: Mapping[str, NativeFunction] = {
    **{
        name: _plain_native(name, function)
        for name, function in {**_SAME_OR_SMALLER, **_METHODS_ONLY}.items()
    },
    "register_hook": NativeFunction("register_hook", _register_hook),
    "size": NativeFunction("size", _size),
    "tolist": NativeFunction("tolist", _tolist),
}
"""The methods of a tensor."""


def _zeros(session: Session, *given: Any) -> Tensor:
    shape = shape_of(given)
    _take_shape(session, shape)
    return torch.zeros(shape)


def _ones(session: Session, *given: Any) -> Tensor:
    shape = shape_of(given)
    _take_shape(session, shape)
    return torch.ones(shape)


def _take_shape(session: Session, shape: tuple[int, ...]) -> None:
    values = 1
    for side in shape:
        values *= max(side, 1)  # a sum over a side without length would have all the others' values
    session.take(values)


def _arange(session: Session, most: Any) -> Tensor:
    session.take(*shape_of([most]))
    return torch.arange(most)


def _tensor(session: Session, values: Any) -> Tensor:
    """A tensor of a number, a list, or equally long lists."""
    rows = values if isinstance(values, list | tuple) else [values]
    if len(rows) > MOST_LISTED:
        raise CodeError(Sentence("Only up to {most} numbers become a tensor.", most=MOST_LISTED))
    session.take(sum(len(row) if isinstance(row, list | tuple) else 1 for row in rows))
    for row in rows:
        screened("torch.tensor", row if isinstance(row, list | tuple) else [row], {})
    return torch.tensor(values)


def _joined(name: str, function: Callable[..., Tensor]) -> NativeFunction:
    def call(session: Session, tensors: Any, dim: int = 0) -> Tensor:
        found = session.listed(tensors)
        if not all(type(each) is Tensor for each in found) or type(dim) is not int:
            raise CodeError(Sentence("`{name}` joins a list of tensors.", name=name))
        if not found:
            raise CodeError(Sentence("`{name}` joins a list of tensors, and this list is empty.", name=name))
        session.take(sum(each.numel() for each in found))
        return function(found, dim)

    return NativeFunction(name, call)


def _where(session: Session, condition: Any, yes: Any, no: Any) -> Tensor:
    screened("torch.where", [condition, yes, no], {})
    take_together(session, condition, yes, no)
    return torch.where(condition, yes, no)


def _like(name: str, function: Callable[[Tensor], Tensor]) -> NativeFunction:
    return _plain_native(name, function)


FUNCTIONS: Mapping[str, NativeFunction] = {
    **{name: METHODS[name] for name in _SAME_OR_SMALLER},
    "allclose": NativeFunction("allclose", _close),
    "arange": NativeFunction("arange", _arange),
    "cat": _joined("cat", torch.cat),
    "clone": METHODS["clone"],
    "equal": NativeFunction("equal", _same),
    "no_grad": NativeFunction("no_grad", lambda _: NoGradContext()),
    "ones": NativeFunction("ones", _ones),
    "ones_like": _like("ones_like", torch.ones_like),
    "stack": _joined("stack", torch.stack),
    "tensor": NativeFunction("tensor", _tensor),
    "where": NativeFunction("where", _where),
    "zeros": NativeFunction("zeros", _zeros),
    "zeros_like": _like("zeros_like", torch.zeros_like),
}
"""The functions of ``torch``."""
