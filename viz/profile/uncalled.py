"""Why a layer did not run, as far as the layer, its parent and the parent's code tell."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import torch
from torch import nn

from ..sentences import Sentence

WEIGHT_ONLY = Sentence("another layer uses its weight and never calls it")
TRAINING_ONLY = Sentence("it is used only in training")
SCRIPTED = Sentence("TorchScript compiled it, and compiled layers take no hooks")
HOLDER = Sentence("it only holds other layers or weights and is never called itself")
ONE_BY_ONE = Sentence("the layers in it are called one by one, not as a whole")
UNUSED = Sentence("the model has it but did not use it for this input")


def reason_for(name: str, model: nn.Module, layers: Mapping[str, nn.Module], ran: AbstractSet[str]) -> str:
    """Return in a few words why the layer ``name`` did not run, given that the layers ``ran`` did.

    Args:
        name: the layer.
        model: the model that it is part of, which did run.
        layers: every layer by name.
        ran: the names of the layers that ran.
    """
    ancestors = [name[:end] for end, letter in enumerate(name) if letter == "."]
    if any(isinstance(layers[each], torch.jit.ScriptModule) for each in (*ancestors, name)):
        return SCRIPTED
    uncalled = next((each for each in ancestors if _is_uncalled(each, layers, ran)), None)
    if uncalled:
        return Sentence(
            "it is part of {layer}: {reason}", layer=uncalled, reason=reason_for(uncalled, model, layers, ran)
        )
    if _has_no_forward(layers[name]):
        return HOLDER
    owners: dict[str, Any] = {
        name.removeprefix(f"{each}."): type(layers[each]) for each in reversed(ancestors)
    }
    for path, owner in (owners | {name: type(model)}).items():
        reason = _reason_in_code(path, owner)
        if reason:
            return reason
    return UNUSED if _is_uncalled(name, layers, ran) else ONE_BY_ONE


def _is_uncalled(name: str, layers: Mapping[str, nn.Module], ran: AbstractSet[str]) -> bool:
    """Return whether neither this layer nor any in it ran, though it could be called."""
    called = name in ran or any(other.startswith(f"{name}.") for other in ran)
    return not called and not _has_no_forward(layers[name])


def _has_no_forward(layer: nn.Module) -> bool:
    return type(layer).forward is nn.Module.forward


@functools.lru_cache(maxsize=4096)
def _reason_in_code(path: str, owner: Any) -> str | None:
    """Return what the code of a layer or model does with ``self.path`` other than calling it."""
    ways = {_way(node, f"self.{path}") for method in _methods(owner) for node in ast.walk(method)} - {None}
    return min(ways, key=lambda way: (way != TRAINING_ONLY, way == WEIGHT_ONLY, way), default=None)


def _way(node: ast.AST, layer: str) -> str | None:
    """Return how this piece of code uses ``layer`` other than by always calling it, or None."""
    if isinstance(node, ast.If) and "self.training" in ast.unparse(node.test):
        parts = [part for each in node.body for part in ast.walk(each) if isinstance(part, ast.Call)]
        return TRAINING_ONLY if any(ast.unparse(part.func) == layer for part in parts) else None
    if isinstance(node, ast.Attribute) and ast.unparse(node) == f"{layer}.weight":
        return WEIGHT_ONLY
    method = node.func if isinstance(node, ast.Call) else None
    if isinstance(method, ast.Attribute) and ast.unparse(method.value) == layer and _is_own(method.attr):
        return Sentence("its {method}() is called directly, which bypasses every hook", method=method.attr)
    return None


def _is_own(method: str) -> bool:
    """Return whether a method computes something, unlike methods of every layer such as ``train``."""
    return method == "forward" or not hasattr(nn.Module, method)


@functools.lru_cache(maxsize=256)
def _methods(parent: Any) -> tuple[ast.AST, ...]:
    """Return the syntax trees of a class's methods, inherited ones too, except ``__init__``."""
    classes = parent.__mro__[: parent.__mro__.index(nn.Module)]
    functions = [each for cls in classes for each in vars(cls).values() if inspect.isfunction(each)]
    found = (_tree(each) for each in functions if each.__name__ != "__init__")
    return tuple(tree for tree in found if tree)


def _tree(function: object) -> ast.AST | None:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))  # type: ignore[arg-type]  # a function
    except (OSError, SyntaxError):  # generated or typed at a prompt: there is no source to read
        return None
