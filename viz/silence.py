"""Why a layer did not run: what can be told from the layer, its parent, and the parent's own code."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import torch
from torch import nn

WEIGHT_ONLY = "its parent uses its weight directly and never calls it"
TRAINING_ONLY = "it is used only in training"
BYPASSED = "its forward() is called directly, which passes by every hook"
SCRIPTED = "it is compiled by TorchScript, which takes no hooks"
HOLDER = "it only holds other layers or weights and is never called itself"
ONE_BY_ONE = "the layers in it are called one by one, not as a whole"
UNUSED = "the model has it but did not use it for this input"


def reason_for(name: str, model: nn.Module, layers: Mapping[str, nn.Module], ran: AbstractSet[str]) -> str:
    """Return in a few words why the layer ``name`` did not run, when the layers ``ran`` did.

    Args:
        name: the layer.
        model: the model that it is part of; it did run.
        layers: every layer by name.
        ran: the names of the layers that ran.
    """
    ancestors = [name[:end] for end, letter in enumerate(name) if letter == "."]
    if any(isinstance(layers[each], torch.jit.ScriptModule) for each in (*ancestors, name)):
        return SCRIPTED
    silent = next((each for each in ancestors if _is_silent(each, layers, ran)), None)
    if silent:
        return f"it is part of {silent}: {reason_for(silent, model, layers, ran)}"
    if _has_no_forward(layers[name]):
        return HOLDER
    parent_name, _, own_name = name.rpartition(".")
    reason = _reason_in_code(own_name, type(layers.get(parent_name, model)))
    return reason or (UNUSED if _is_silent(name, layers, ran) else ONE_BY_ONE)


def _is_silent(name: str, layers: Mapping[str, nn.Module], ran: AbstractSet[str]) -> bool:
    """Return whether neither this layer nor any in it ran, though it could be called."""
    called = name in ran or any(other.startswith(f"{name}.") for other in ran)
    return not called and not _has_no_forward(layers[name])


def _has_no_forward(layer: nn.Module) -> bool:
    return type(layer).forward is nn.Module.forward


def _reason_in_code(own_name: str, parent: Any) -> str | None:
    """Return what the parent's code does with the layer instead of calling it, where that can be read."""
    ways = {way for method in _methods(parent) for way in _ways(method, own_name)}
    return next((way for way in (BYPASSED, TRAINING_ONLY, WEIGHT_ONLY) if way in ways), None)


def _ways(method: ast.AST, own_name: str) -> Iterator[str]:
    """Yield the ways in which a method uses its own layer ``own_name``."""
    layer = f"self.{own_name}"
    for node in ast.walk(method):
        if isinstance(node, ast.If) and "self.training" in ast.unparse(node.test):
            calls = [part for each in node.body for part in ast.walk(each) if isinstance(part, ast.Call)]
            if any(ast.unparse(call.func) == layer for call in calls):
                yield TRAINING_ONLY
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == f"{layer}.weight":
            yield WEIGHT_ONLY
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == f"{layer}.forward":
            yield BYPASSED


@functools.lru_cache(maxsize=256)
def _methods(parent: Any) -> tuple[ast.AST, ...]:
    """Return the syntax trees of a class's methods, inherited ones too, save those that only make layers."""
    classes = parent.__mro__[: parent.__mro__.index(nn.Module)]
    functions = [each for cls in classes for each in vars(cls).values() if inspect.isfunction(each)]
    found = (_tree(each) for each in functions if each.__name__ != "__init__")
    return tuple(tree for tree in found if tree)


def _tree(function: object) -> ast.AST | None:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))  # type: ignore[arg-type]  # a function
    except (OSError, SyntaxError):  # made by a program or typed at a prompt: there is no source to read
        return None
