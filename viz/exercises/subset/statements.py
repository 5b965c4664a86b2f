"""Statements: each kind of node changes names, or leaves a block."""

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from ...sentences import Sentence, counted
from ..refusal import CodeError
from .layers import remove
from .operators import combined_in_place, is_true
from .places import read_place, write_place
from .session import Session
from .values import Function, Handle, IndexedValues, NoGradContext, Scope, kind_of


@dataclass(frozen=True)
class Flow:
    """Way out of a block: ``break``, ``continue``, or ``return`` with a value."""

    kind: str
    value: Any = None


_BREAK, _CONTINUE = Flow("break"), Flow("continue")


class Walker(Protocol):
    """Walker of the tree: see ``walking``."""

    session: Session

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """Return the value of an expression."""

    def block(self, body: Iterable[ast.stmt], scope: Scope) -> Flow | None:
        """Carry out statements; return how they were left, if they were."""


def _expression(walker: Walker, node: ast.Expr, scope: Scope) -> None:
    walker.value(node.value, scope)


def _assign(walker: Walker, node: ast.Assign, scope: Scope) -> None:
    value = walker.value(node.value, scope)
    for target in node.targets:
        _store(walker, target, value, scope)


def _store(walker: Walker, target: ast.expr, value: Any, scope: Scope) -> None:
    """Give a name, a place, or several at once their values.

    Raises:
        CodeError: there are more values than names, or fewer.
    """
    if isinstance(target, ast.Name):
        _home(scope, target.id).values[target.id] = value
    elif isinstance(target, ast.Subscript):
        owner, place = walker.value(target.value, scope), walker.value(target.slice, scope)
        write_place(walker.session, owner, place, value)
    elif isinstance(target, ast.Tuple | ast.List):
        values = list(value) if type(value) is IndexedValues else walker.session.listed(value)
        if len(values) != len(target.elts):
            raise CodeError(
                counted(
                    "{count} value does not fit {names} names.",
                    "{count} values do not fit {names} names.",
                    count=len(values),
                    names=len(target.elts),
                )
            )
        for each, part in zip(target.elts, values, strict=True):
            _store(walker, each, part, scope)


def _home(scope: Scope, name: str) -> Scope:
    return scope.top if name in scope.outside else scope


def _change(walker: Walker, node: ast.AugAssign, scope: Scope) -> None:
    sign, change = type(node.op).__name__, walker.value(node.value, scope)
    session = walker.session
    if isinstance(node.target, ast.Subscript):
        owner = walker.value(node.target.value, scope)
        place = walker.value(node.target.slice, scope)
        changed = combined_in_place(session, sign, read_place(session, owner, place), change)
        write_place(session, owner, place, changed)
    elif isinstance(node.target, ast.Name):
        home, name = _home(scope, node.target.id), node.target.id
        if name not in home.values:
            raise CodeError(
                Sentence(
                    "`{name}` belongs to the lines outside this function: write `global {name}` first, or "
                    "keep it in a list or a dict.",
                    name=name[:40],
                )
            )
        home.values[name] = combined_in_place(session, sign, home.values[name], change)


def _define(_: Walker, node: ast.FunctionDef, scope: Scope) -> None:
    parameters = tuple(each.arg for each in node.args.args)
    _home(scope, node.name).values[node.name] = Function(node.name, parameters, node.body, scope)


def _return(walker: Walker, node: ast.Return, scope: Scope) -> Flow:
    if scope.outer is None:
        raise CodeError(Sentence("`return` belongs into a function: is this line indented?"))
    return Flow("return", None if node.value is None else walker.value(node.value, scope))


def _if(walker: Walker, node: ast.If, scope: Scope) -> Flow | None:
    return walker.block(node.body if is_true(walker.value(node.test, scope)) else node.orelse, scope)


def _for(walker: Walker, node: ast.For, scope: Scope) -> Flow | None:
    values = walker.value(node.iter, scope)
    for value in values if type(values) is range else walker.session.listed(values):
        walker.session.step()
        _store(walker, node.target, value, scope)
        flow = walker.block(node.body, scope)
        if flow is not None and flow is not _CONTINUE:
            return None if flow is _BREAK else flow
    return None


def _while(walker: Walker, node: ast.While, scope: Scope) -> Flow | None:
    while is_true(walker.value(node.test, scope)):
        walker.session.step()
        flow = walker.block(node.body, scope)
        if flow is not None and flow is not _CONTINUE:
            return None if flow is _BREAK else flow
    return None


def _global(_: Walker, node: ast.Global, scope: Scope) -> None:
    scope.outside.update(node.names)


def _with(walker: Walker, node: ast.With, scope: Scope) -> Flow | None:
    """Carry out a block with a hook, or without gradients."""
    if len(node.items) != 1:
        raise CodeError(Sentence("Write one `with` inside the other."))
    opened = walker.value(node.items[0].context_expr, scope)
    named = node.items[0].optional_vars
    if named is not None:
        _store(walker, named, opened, scope)
    if type(opened) is NoGradContext:
        with torch.no_grad():
            return walker.block(node.body, scope)
    if type(opened) is not Handle:
        raise CodeError(
            Sentence("`with` takes a hook's handle, or `torch.no_grad()`, not {kind}.", kind=kind_of(opened))
        )
    try:
        return walker.block(node.body, scope)
    finally:
        remove(walker.session, opened)


def _try(walker: Walker, node: ast.Try, scope: Scope) -> Flow | None:
    flow = None
    try:
        flow = walker.block(node.body, scope)
    finally:
        last = walker.block(node.finalbody, scope)
    return last or flow


STATEMENTS: Mapping[type[ast.stmt], Callable[[Walker, Any, Scope], Flow | None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AugAssign: _change,
    ast.FunctionDef: _define,
    ast.Return: _return,
    ast.If: _if,
    ast.For: _for,
    ast.While: _while,
    ast.Break: lambda *_: _BREAK,
    ast.Continue: lambda *_: _CONTINUE,
    ast.Pass: lambda *_: None,
    ast.Global: _global,
    ast.With: _with,
    ast.Try: _try,
}
"""By kind of node: what it does."""
