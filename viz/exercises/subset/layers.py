"""The net for an answer: its layers, runs and plain hooks."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor

from ...sentences import Sentence
from ..refusal import CodeError
from .session import Session, take_away
from .values import Function, Handle, Layer, NativeFunction, kind_of

_FORWARD, _BEFORE = ("module", "inputs", "output"), ("module", "inputs")
_BACKWARD = ("module", "grad_input", "grad_output")


def _checked(function: Any, parameters: Sequence[str], name: str) -> Function:
    """The function, if it can be such a hook.

    Raises:
        CodeError: it is none, or takes another number of values.
    """
    example = ", ".join(parameters)
    if type(function) is not Function:
        raise CodeError(
            Sentence(
                "`{name}` takes a function, such as `def hook({example})`: its name alone, without brackets.",
                name=name,
                example=example,
            )
        )
    if len(function.parameters) != len(parameters):
        raise CodeError(
            Sentence(
                "The function `{function}` has {count} parameters; `{name}` calls it with {expected}: "
                "`({example})`.",
                function=function.name,
                count=len(function.parameters),
                name=name,
                expected=len(parameters),
                example=example,
            )
        )
    return function


def _returned(value: Any, name: str) -> Any:
    """Return a hook's result, if PyTorch can go on with it.

    It can with nothing, a tensor, or a tuple of tensors.

    Raises:
        CodeError: it is something else.
    """
    parts = value if type(value) is tuple else (value,)
    if all(part is None or type(part) is Tensor for part in parts):
        return value
    raise CodeError(
        Sentence(
            "The function `{name}` returned {kind}; a hook returns a tensor in the old one's place, or "
            "nothing.",
            name=name,
            kind=kind_of(value),
        )
    )


def _calling(session: Session, layer: Layer, function: Function) -> Callable[..., Any]:
    def hook(_: Any, *given: Any) -> Any:
        return _returned(session.call(function, [layer, *given]), function.name)

    return hook


def _forward(session: Session, layer: Layer, function: Any) -> Handle:
    hook = _calling(session, layer, _checked(function, _FORWARD, "register_forward_hook"))
    return session.keep(Handle(layer.module.register_forward_hook(hook), "forward", layer.name))


def _before(session: Session, layer: Layer, function: Any) -> Handle:
    hook = _calling(session, layer, _checked(function, _BEFORE, "register_forward_pre_hook"))
    return session.keep(Handle(layer.module.register_forward_pre_hook(hook), "forward pre", layer.name))


def _backward(session: Session, layer: Layer, function: Any) -> Handle:
    hook = _calling(session, layer, _checked(function, _BACKWARD, "register_full_backward_hook"))
    return session.keep(Handle(layer.module.register_full_backward_hook(hook), "backward", layer.name))


def remove(_: Session, handle: Handle) -> None:
    """Remove a hook, as ``handle.remove()`` does."""
    take_away(handle)


def _below(_: Session, layer: Layer, name: Any) -> Layer:
    """The layer below this one that a dotted name says."""
    found = layer
    for part in str(name)[:200].split(".") if name else ():
        if part not in found.children:
            names = ", ".join(list(found.children)[:12])
            raise CodeError(
                Sentence("There is no layer `{name}` here; there are {names}.", name=part[:40], names=names)
            )
        found = found.children[part]
    return found


def _walked(layer: Layer) -> dict[str, Layer]:
    found, waiting = {}, [("", layer)]
    while waiting:
        name, each = waiting.pop()
        found[name] = each
        below = [(f"{name}.{key}" if name else key, child) for key, child in each.children.items()]
        waiting.extend(reversed(below))
    return found


def _named_modules(_: Session, layer: Layer) -> list[tuple[str, Layer]]:
    return list(_walked(layer).items())


def run_layer(session: Session, layer: Layer, given: Sequence[Any]) -> Any:
    """Return the output of a layer, or the net, for tensors.

    Raises:
        CodeError: it was given something else, or runs too often.
    """
    if not given or not all(type(value) is Tensor for value in given):
        raise CodeError(Sentence("A layer runs on tensors, such as `net(picture)`."))
    return session.run(layer.module, given)


METHODS: Mapping[str, NativeFunction] = {
    "children": NativeFunction("children", lambda _, layer: list(layer.children.values())),
    "eval": NativeFunction("eval", lambda _, layer: layer),
    "get_submodule": NativeFunction("get_submodule", _below),
    "modules": NativeFunction("modules", lambda _, layer: list(_walked(layer).values())),
    "named_children": NativeFunction("named_children", lambda _, layer: list(layer.children.items())),
    "named_modules": NativeFunction("named_modules", _named_modules),
    "register_forward_hook": NativeFunction("register_forward_hook", _forward),
    "register_forward_pre_hook": NativeFunction("register_forward_pre_hook", _before),
    "register_full_backward_hook": NativeFunction("register_full_backward_hook", _backward),
}
"""The methods of a layer."""
