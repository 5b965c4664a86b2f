"""Names of the layers that a selector means.

A selector is a name, a layer or its class, a predicate, or an index into a Sequential. The model itself has
the empty name, and an operation the one that ``functional`` gives it; both are meant by name only.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import torch
from torch import nn

from ..errors import UnknownLayerError, UnsupportedModelError
from ..layer_names import called_function, calling_layer, is_operation, operation_name, unknown
from ..sentences import Sentence
from .functional import Operation, Place

Predicate: TypeAlias = Callable[[str, nn.Module], bool]
Selector: TypeAlias = str | int | type[nn.Module] | nn.Module | Predicate


def layers_of(model: nn.Module) -> dict[str, nn.Module]:
    """Return every layer by its dotted name, in definition order.

    A shared layer has several names. The model itself, whose name is empty, is not among them.
    """
    return {name: layer for name, layer in model.named_modules(remove_duplicate=False) if name}


def canonical_names(layers: Mapping[str, nn.Module]) -> tuple[str, ...]:
    """Return each layer's first name, so that shared layers appear once."""
    first = {id(layer): name for name, layer in reversed(list(layers.items()))}
    return tuple(name for name, layer in layers.items() if first[id(layer)] == name)


def selected(selector: Selector, model: nn.Module, layers: Mapping[str, nn.Module]) -> tuple[str, ...]:
    """Return the names of the layers that ``selector`` matches, each layer once.

    Raises:
        UnknownLayerError: no layer matches the selector.
        UnsupportedModelError: the named layer is compiled by TorchScript, which takes no hooks.
    """
    if isinstance(selector, str):
        if not selector:
            return ("",)
        if selector not in layers and is_operation(selector):
            return (_operation(selector, layers),)
        names = (_named(selector, layers),)
    elif selector is model:
        return ("",)
    elif isinstance(selector, int):
        names = (_indexed(selector, model, layers),)
    else:
        return _matching(selector, layers)
    _check_hookable(names[0], layers)
    return names


def place(name: str, model: nn.Module, layers: Mapping[str, nn.Module]) -> Place:
    """Return the layer, operation or model of a name that ``selected`` gave."""
    if name in layers:
        return layers[name]
    return Operation(model, name) if name else model


def kind(name: str, model: nn.Module, layers: Mapping[str, nn.Module]) -> str:
    """Return a layer's class or an operation's function, such as ``add``."""
    return kind_at(place(name, model, layers), name)


def kind_at(found: Place, name: str) -> str:
    """Return a layer's class, or the function of an operation's name."""
    return called_function(name).split()[0] if isinstance(found, Operation) else type(found).__name__


def hookable(names: tuple[str, ...], layers: Mapping[str, nn.Module]) -> tuple[str, ...]:
    """Return the names of layers that take hooks: all but TorchScript's."""
    return tuple(name for name in names if not isinstance(layers[name], torch.jit.ScriptModule))


def _named(name: str, layers: Mapping[str, nn.Module]) -> str:
    if name in layers:
        return name
    raise UnknownLayerError(unknown(name, layers))


def _operation(name: str, layers: Mapping[str, nn.Module]) -> str:
    """Return an operation's name as a run gives it."""
    layer, function = calling_layer(name), called_function(name)
    if not function:
        raise UnknownLayerError(
            "{name} names no operation: say which one, as in {example}.",
            name=repr(name),
            example=repr(operation_name(layer, "add", 1)),
        )
    if layer:
        _check_hookable(_named(layer, layers), layers)
        layer = next(first for first, module in layers.items() if module is layers[layer])
    return operation_name(layer, function, 1)


def _check_hookable(name: str, layers: Mapping[str, nn.Module]) -> None:
    if isinstance(layers[name], torch.jit.ScriptModule):
        raise UnsupportedModelError(
            "Layer {name} is compiled by TorchScript, which takes no hooks: use the layer as it "
            "was before torch.jit.script or torch.jit.trace.",
            name=repr(name),
        )


def _indexed(index: int, model: nn.Module, layers: Mapping[str, nn.Module]) -> str:
    if not isinstance(model, nn.Sequential):
        raise UnknownLayerError(
            "the index {index} selects from a Sequential, and this model is a {name}: give a "
            "name, or wrap the Sequential inside it.",
            index=index,
            name=type(model).__name__,
        )
    steps = [name for name in layers if "." not in name]
    if not -len(steps) <= index < len(steps):
        raise UnknownLayerError(
            "no layer at index {index}: the Sequential has {count}, from 0.", index=index, count=len(steps)
        )
    return steps[index]


def _briefly(value: object) -> str:
    """Describe a wrong selector for an error; an array by its shape."""
    shape = getattr(value, "shape", None)
    return repr(value) if shape is None else f"{type(value).__name__} of shape {tuple(shape)}"


def _matching(selector: object, layers: Mapping[str, nn.Module]) -> tuple[str, ...]:
    """Return the names that a class, a layer or a predicate picks."""
    if isinstance(selector, type) and issubclass(selector, nn.Module):
        found = [name for name, layer in layers.items() if isinstance(layer, selector)]
        asked = Sentence("of class {kind}", kind=selector.__name__)
    elif isinstance(selector, nn.Module):
        found = [name for name, layer in layers.items() if layer is selector]
        asked = Sentence("that is this {kind}", kind=type(selector).__name__)
    elif callable(selector) and not isinstance(selector, type):
        found = [name for name, layer in layers.items() if selector(name, layer)]
        asked = Sentence("for which the predicate is true")
    else:
        raise UnknownLayerError(
            "{selector} selects no layer: give a name, a layer class, a predicate (name, layer) "
            "-> bool, or an index into a Sequential.",
            selector=_briefly(selector),
        )
    names = canonical_names({name: layers[name] for name in hookable(tuple(found), layers)})
    if not names:
        kinds = ", ".join(sorted({type(layer).__name__ for layer in layers.values()}))
        raise UnknownLayerError(
            "no layer {asked}; the model has layers of class {kinds}.", asked=asked, kinds=kinds or "(none)"
        )
    return names
