"""Reasons for a layer's lack of output, with their evidence.

All evidence is from one pass.
"""

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from ..hooks.witness import FORWARD, LayerUses
from ..sentences import Sentence, counted
from .rows import Evidence

NONE: Evidence = "none"

SCRIPTED = Sentence("TorchScript compiled it, and compiled layers take no hooks")
HOLDER = Sentence("it only holds other layers or weights and is never called itself")
UNKNOWN = Sentence("nothing that was seen of this pass says why")


@dataclass(frozen=True)
class Reason:
    """Reason for a layer without output, with the kind of evidence."""

    evidence: Evidence
    said: Sentence


@dataclass(frozen=True)
class Reasons:
    """The reasons of the layers that had no output in one pass.

    Attributes:
        model: the model, which ran to its end.
        layers: every layer by each of its names.
        seen: what the pass did with a layer, or with the model.
    """

    model: nn.Module
    layers: Mapping[str, nn.Module]
    seen: Callable[[nn.Module], LayerUses]

    def of(self, name: str) -> Reason:
        """Return why the layer ``name`` has no output."""
        layer, around = self.layers[name], _around(name)
        if any(isinstance(self.layers[each], torch.jit.ScriptModule) for each in (*around, name)):
            return Reason("scripted", SCRIPTED)
        own = _from_runs(self.seen(layer))
        if own:
            return own
        quiet = next((each for each in around if self._is_quiet(self.layers[each])), None)
        if quiet:
            reason = self.of(quiet)
            said = Sentence("it is part of {layer}: {reason}", layer=quiet, reason=reason.said)
            return Reason(reason.evidence, said)
        return self._from_others(name, layer)

    def _is_quiet(self, layer: nn.Module) -> bool:
        """Return whether a layer could run, but nothing of it did."""
        return _has_forward(layer) and not any(self.seen(each).active for each in layer.modules())

    def _from_others(self, name: str, layer: nn.Module) -> Reason:
        """Return the reason of a layer whose own code did not run.

        It depends on the code that ran instead.
        """
        seen = self.seen(layer)
        if not _has_forward(layer):
            return Reason("holder", HOLDER)
        if seen.read:
            return Reason("weight", self._reading(seen))
        if seen.called or not seen.watched:
            return Reason(NONE, UNKNOWN)
        part = next((each for each in self.layers if each.startswith(f"{name}.") and self._ran(each)), None)
        if part:
            said = Sentence("layers in it ran, such as {layer}, and its own forward() did not", layer=part)
            return Reason("parts", said)
        return self._from_owner(name)

    def _from_owner(self, name: str) -> Reason:
        """Return the reason of a layer that its owner did not call.

        The owner is the innermost layer around it that ran, or else the model.
        """
        owner = next((each for each in reversed(_around(name)) if self._ran(each)), "")
        path = name.removeprefix(f"{owner}.") if owner else name
        kind: Any = type(self.layers[owner] if owner else self.model)
        if _only_in_training(path, kind):
            return Reason("training", self._without(owner, in_training=True))
        return Reason("uncalled", self._without(owner, in_training=False))

    def _without(self, owner: str, *, in_training: bool) -> Sentence:
        if not owner:
            if in_training:
                return Sentence("the model did not call it, which its code does only in training")
            return Sentence("the model ran and never called it")
        seen = self.seen(self.layers[owner])
        count = seen.runs or seen.methods.total()
        if in_training:
            return counted(
                "{layer} ran once without calling it, which its code does only in training",
                "{layer} ran {count} times without calling it, which its code does only in training",
                count=count,
                layer=owner,
            )
        return counted(
            "{layer} ran once and never called it",
            "{layer} ran {count} times and never called it",
            count=count,
            layer=owner,
        )

    def _reading(self, seen: LayerUses) -> Sentence:
        read = seen.read
        owner = next((name for name, layer in self.layers.items() if read and layer is read.layer), "")
        if not read or not owner:
            return Sentence(
                "the model gave its {weight} to {function}() and never called it",
                weight=read.weight if read else "",
                function=read.function if read else "",
            )
        return Sentence(
            "{layer} gave its {weight} to {function}() and never called it",
            layer=owner,
            weight=read.weight,
            function=read.function,
        )

    def _ran(self, name: str) -> bool:
        return self.seen(self.layers[name]).active


def _around(name: str) -> list[str]:
    """Return the names of the layers around a layer, the outermost first."""
    return [name[:end] for end, letter in enumerate(name) if letter == "."]


def _has_forward(layer: nn.Module) -> bool:
    """Return whether a layer has a ``forward`` or ``__call__`` of its own."""
    kind = type(layer)
    own = kind.forward is not nn.Module.forward or kind.__call__ is not nn.Module.__call__
    return own or FORWARD in vars(layer)


def _from_runs(seen: LayerUses) -> Reason | None:
    """Return the reason of a layer that ran unseen by hooks."""
    if not seen.runs and not seen.methods:
        return None
    if seen.in_threads:
        return Reason("thread", _in_another_thread(seen.in_threads))
    if seen.in_contexts:
        said = Sentence("it ran in another context, such as an asyncio task, whose calls hooks do not see")
        return Reason("context", said)
    if seen.backward:
        return Reason(
            "backward", Sentence("it ran only during a backward pass, of which nothing is captured")
        )
    if seen.called and seen.raised:
        said = Sentence("its call raised {error}, which the model caught", error=seen.raised)
        return Reason("raised", said)
    return None if seen.called else Reason("direct", _called_directly(seen))


def _in_another_thread(count: int) -> Sentence:
    return counted(
        "it ran once in another thread, and hooks see only the thread that runs the model",
        "it ran {count} times in another thread, and hooks see only the thread that runs the model",
        count=count,
    )


def _called_directly(seen: LayerUses) -> Sentence:
    method, count = (FORWARD, seen.runs) if seen.runs else seen.methods.most_common(1)[0]
    return counted(
        "its {method}() was called directly, which bypasses every hook",
        "its {method}() was called directly {count} times, which bypasses every hook",
        count=count,
        method=method,
    )


@functools.lru_cache(maxsize=4096)
def _only_in_training(path: str, owner: Any) -> bool:
    """Return whether code calls ``self.path``, but only under ``if self.training``."""
    found = [
        in_training
        for method in _methods(owner)
        for call, in_training in _calls(method, in_training=False)
        if ast.unparse(call.func) == f"self.{path}"
    ]
    return bool(found) and all(found)


def _calls(node: ast.AST, *, in_training: bool) -> list[tuple[ast.Call, bool]]:
    """Return all calls in code, each with whether training guards it."""
    found = [(node, in_training)] if isinstance(node, ast.Call) else []
    guarded = list(node.body) if isinstance(node, ast.If) and _asks_for_training(node.test) else []
    for child in ast.iter_child_nodes(node):
        found += _calls(child, in_training=in_training or child in guarded)
    return found


def _asks_for_training(test: ast.expr) -> bool:
    """Return whether a condition holds in training only."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return any(ast.unparse(part) == "self.training" for part in parts)


@functools.lru_cache(maxsize=256)
def _methods(owner: Any) -> tuple[ast.AST, ...]:
    """Return the syntax trees of a class's methods, except ``__init__``.

    Inherited ones are among them.
    """
    classes = owner.__mro__[: owner.__mro__.index(nn.Module)]
    functions = [each for cls in classes for each in vars(cls).values() if inspect.isfunction(each)]
    found = (_tree(each) for each in functions if each.__name__ != "__init__")
    return tuple(tree for tree in found if tree)


def _tree(function: object) -> ast.AST | None:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))  # type: ignore[arg-type]  # a function
    except (OSError, SyntaxError):  # generated or typed at a prompt: there is no source to read
        return None
