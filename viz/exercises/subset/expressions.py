"""Expressions: the value of each kind of node in the tree."""

import ast
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ...sentences import Sentence
from ..near_misses import of_name
from ..refusal import CodeError
from .attributes import attribute
from .layers import run_layer
from .names import NAMES
from .operators import checked_key, combined, compared, is_true, negated
from .places import read_place
from .session import Session
from .values import Function, Layer, NativeFunction, Scope, kind_of


class Walker(Protocol):
    """Walker of the tree: see ``walking``."""

    session: Session

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """Return the value of an expression."""


def _name(_: Walker, node: ast.Name, scope: Scope) -> Any:
    at: Scope | None = scope
    while at is not None:
        if node.id in at.values:
            return at.values[node.id]
        at = at.outer
    if node.id in NAMES:
        return NAMES[node.id]
    unknown = Sentence("Nothing is named `{name}` here yet.", name=node.id[:40])
    raise CodeError(of_name(node.id) or unknown)


def _constant(_: Walker, node: ast.Constant, __: Scope) -> Any:
    return node.value


def _attribute(walker: Walker, node: ast.Attribute, scope: Scope) -> Any:
    owner = walker.value(node.value, scope)
    return attribute(walker.session, owner, node.attr, ast.unparse(node.value))


def _subscript(walker: Walker, node: ast.Subscript, scope: Scope) -> Any:
    owner = walker.value(node.value, scope)
    return read_place(walker.session, owner, walker.value(node.slice, scope))


def _slice(walker: Walker, node: ast.Slice, scope: Scope) -> slice:
    ends = [None if end is None else walker.value(end, scope) for end in (node.lower, node.upper, node.step)]
    return slice(*ends)


def _tuple(walker: Walker, node: ast.Tuple, scope: Scope) -> tuple[Any, ...]:
    return tuple(walker.value(each, scope) for each in node.elts)


def _list(walker: Walker, node: ast.List, scope: Scope) -> list[Any]:
    return [walker.value(each, scope) for each in node.elts]


def _dict(walker: Walker, node: ast.Dict, scope: Scope) -> dict[Any, Any]:
    pairs = zip(filter(None, node.keys), node.values, strict=True)
    return {checked_key(walker.value(key, scope)): walker.value(value, scope) for key, value in pairs}


def _call(walker: Walker, node: ast.Call, scope: Scope) -> Any:
    function = walker.value(node.func, scope)
    given = [walker.value(each, scope) for each in node.args]
    named = {str(each.arg): walker.value(each.value, scope) for each in node.keywords}
    session = walker.session
    session.line = node.lineno
    if type(function) is NativeFunction:
        session.used.add(function.name)
        return function.call(session, *given, **named)
    if named:
        raise CodeError(Sentence("Give these values by their place, without a name and `=`."))
    if type(function) is Function:
        return session.call(function, given)
    if type(function) is Layer:
        return run_layer(session, function, given)
    raise CodeError(Sentence("Only a function can be called; this is {kind}.", kind=kind_of(function)))


def _lambda(_: Walker, node: ast.Lambda, scope: Scope) -> Function:
    return Function("lambda", tuple(each.arg for each in node.args.args), node.body, scope)


def _binary(walker: Walker, node: ast.BinOp, scope: Scope) -> Any:
    left, right = walker.value(node.left, scope), walker.value(node.right, scope)
    return combined(walker.session, type(node.op).__name__, left, right)


def _unary(walker: Walker, node: ast.UnaryOp, scope: Scope) -> Any:
    value = walker.value(node.operand, scope)
    if isinstance(node.op, ast.Not):
        return not is_true(value)
    return negated(walker.session, type(node.op).__name__, value)


def _either(walker: Walker, node: ast.BoolOp, scope: Scope) -> Any:
    value: Any = None
    for each in node.values:
        value = walker.value(each, scope)
        if is_true(value) == isinstance(node.op, ast.Or):
            return value
    return value


def _compare(walker: Walker, node: ast.Compare, scope: Scope) -> Any:
    left, found = walker.value(node.left, scope), True
    for sign, each in zip(node.ops, node.comparators, strict=True):
        right = walker.value(each, scope)
        found = compared(walker.session, type(sign).__name__, left, right)
        if len(node.ops) > 1 and not is_true(found):
            return found
        left = right
    return found


def _choice(walker: Walker, node: ast.IfExp, scope: Scope) -> Any:
    return walker.value(node.body if is_true(walker.value(node.test, scope)) else node.orelse, scope)


EXPRESSIONS: Mapping[type[ast.expr], Callable[[Walker, Any, Scope], Any]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Dict: _dict,
    ast.Call: _call,
    ast.Lambda: _lambda,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _either,
    ast.Compare: _compare,
    ast.IfExp: _choice,
}
"""By kind of node: how its value is found."""
