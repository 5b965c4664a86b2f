"""Grammar of an answer: only nodes on a list are allowed."""

import ast
import re
import warnings
from collections.abc import Callable, Iterator

from ...sentences import Sentence
from ..refusal import CodeError
from ..unreadable import unreadable
from .bounds import LONGEST_CODE, LONGEST_TEXT, MOST_BITS, MOST_NESTING, MOST_NODES

OPERATORS = frozenset({ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow})
COMPARISONS = frozenset(
    {ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn}
)
STATEMENTS = frozenset(
    {
        *{ast.Expr, ast.Assign, ast.AugAssign, ast.FunctionDef, ast.Return, ast.If, ast.For, ast.While},
        *{ast.Break, ast.Continue, ast.Pass, ast.Global, ast.With, ast.Try},
    }
)
EXPRESSIONS = frozenset(
    {
        *{ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Dict},
        *{ast.Call, ast.Lambda, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp},
    }
)
PARTS = frozenset(
    {
        *{ast.Module, ast.arguments, ast.arg, ast.keyword, ast.withitem, ast.Load, ast.Store},
        *{ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd},
    }
)
ALLOWED: frozenset[type[ast.AST]] = STATEMENTS | EXPRESSIONS | PARTS | OPERATORS | COMPARISONS
"""Every kind of node that an answer may have."""
CONSTANTS = (bool, int, float, str, type(None), type(...))

_SURROGATE = re.compile("[\ud800-\udfff]")
_ONLY_HERE = Sentence(
    "Nothing can be imported here. `net`, `picture`, `classes` and `torch` are ready: use these."
)
_NO_TEXT_FORMS = Sentence('Texts with braces, `f"…"`, are not part of these exercises: write `print(a, b)`.')
_NO_COMPREHENSION = Sentence(
    "Comprehensions are not part of these exercises: begin with an empty list, and append in a `for` loop."
)
_TRY_FINALLY = Sentence("Of `try`, only `try` … `finally` is part of these exercises.")
_INSTEAD: dict[type[ast.AST], Sentence] = {
    ast.Import: _ONLY_HERE,
    ast.ImportFrom: _ONLY_HERE,
    ast.JoinedStr: _NO_TEXT_FORMS,
    ast.ListComp: _NO_COMPREHENSION,
    ast.SetComp: _NO_COMPREHENSION,
    ast.DictComp: _NO_COMPREHENSION,
    ast.GeneratorExp: _NO_COMPREHENSION,
    ast.ClassDef: Sentence("Classes are not part of these exercises: write a function with `def`."),
    ast.Delete: Sentence("`del` is not part of these exercises: a hook is taken away by `handle.remove()`."),
    ast.Raise: Sentence("`raise` is not part of these exercises: print what you want to see."),
    ast.Assert: Sentence("`assert` is not part of these exercises: print what you want to see."),
    ast.ExceptHandler: _TRY_FINALLY,
    ast.Nonlocal: Sentence("`nonlocal` is not part of these exercises: keep the value in a list or a dict."),
    ast.AnnAssign: Sentence("Types of names are not part of these exercises: write `name = value`."),
    ast.NamedExpr: Sentence("The sign `:=` is not part of these exercises: assign in a line of its own."),
    ast.Starred: Sentence("A star before a value is not part of these exercises: name each value."),
    ast.MatMult: Sentence("The sign `@` is not part of these exercises."),
}
_OTHER = Sentence("This is not part of the Python of these exercises: write it with the means of the task.")


def tree_of(source: str) -> ast.Module:
    """Return the checked syntax tree of a visitor's code.

    All of its nodes are on the list.

    Raises:
        CodeError: it is no Python, or more or other Python than there is here.
    """
    if len(source) > LONGEST_CODE:
        raise CodeError(Sentence("An answer has at most {most} characters.", most=LONGEST_CODE))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a text's backslashes, say
            tree = ast.parse(source)
    except SyntaxError as error:
        raise CodeError(unreadable(source, error), error.lineno or 1) from None
    except (ValueError, RecursionError, MemoryError):
        raise CodeError(Sentence("Python cannot read this code: it is nested too deep."), 1) from None
    _check_size(tree)
    for node, line in _with_lines(tree):
        _check(node, line)
    return tree


def _with_lines(tree: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    waiting: list[tuple[ast.AST, int]] = [(tree, 1)]
    while waiting:
        node, line = waiting.pop()
        line = getattr(node, "lineno", line)
        yield node, line
        waiting.extend((child, line) for child in ast.iter_child_nodes(node))


def _check_size(tree: ast.AST) -> None:
    """Refuse a tree that is too long or nested too deep.

    This walk itself is not recursive.
    """
    level, found = [tree], 0
    for _ in range(MOST_NESTING):
        found += len(level)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            break
    if level or found > MOST_NODES:
        raise CodeError(Sentence("This is more code than an exercise needs: write it shorter."), 1)


def _check(node: ast.AST, line: int) -> None:
    if type(node) not in ALLOWED:
        raise CodeError(_INSTEAD.get(type(node), _OTHER), line)
    more = _CHECKS.get(type(node))
    wrong = more(node) if more else None
    if wrong is not None:
        raise CodeError(wrong, line)


def _name(name: str) -> Sentence | None:
    if name.startswith("__"):
        return Sentence("Names that begin with `__` are Python's own; an exercise needs none of them.")
    return None


def _attribute(node: ast.Attribute) -> Sentence | None:
    if not isinstance(node.ctx, ast.Load):
        return Sentence(
            "Nothing can be written to `.{name}` here: keep the value in a list or a dict.",
            name=node.attr[:40],
        )
    if node.attr.startswith("_"):
        return Sentence("Names after a dot that begin with `_` are private; an exercise needs none of them.")
    return None


def _constant(node: ast.Constant) -> Sentence | None:
    value = node.value
    if type(value) not in CONSTANTS:
        return _OTHER
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return Sentence("This text is too long.")
    if isinstance(value, str) and not value.isascii() and _SURROGATE.search(value):
        return Sentence("This text has half a character, which cannot be shown: leave it out.")
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return Sentence("This number is too large for these exercises.")
    return None


def _function(node: ast.FunctionDef) -> Sentence | None:
    if node.decorator_list:
        return Sentence("Decorators are not part of these exercises.")
    return _name(node.name)


def _arguments(node: ast.arguments) -> Sentence | None:
    if node.posonlyargs or node.kwonlyargs or node.vararg or node.kwarg or node.defaults:
        return Sentence(
            "A function here has plain parameters only, such as `def hook(layer, inputs, output)`."
        )
    return None


def _ended_otherwise(node: ast.For | ast.While) -> Sentence | None:
    return Sentence("A loop with `else` is not part of these exercises.") if node.orelse else None


def _try(node: ast.Try) -> Sentence | None:
    return _TRY_FINALLY if node.handlers or node.orelse else None


def _call(node: ast.Call) -> Sentence | None:
    if any(keyword.arg is None for keyword in node.keywords):
        return _INSTEAD[ast.Starred]
    return None


def _dict(node: ast.Dict) -> Sentence | None:
    return _INSTEAD[ast.Starred] if None in node.keys else None


def _as_name(node: ast.withitem) -> Sentence | None:
    named = node.optional_vars
    return None if named is None or isinstance(named, ast.Name) else _OTHER


_CHECKS: dict[type[ast.AST], Callable[..., Sentence | None]] = {
    ast.Name: lambda node: _name(node.id),
    ast.arg: lambda node: _name(node.arg),
    ast.Global: lambda node: next(filter(None, map(_name, node.names)), None),
    ast.Attribute: _attribute,
    ast.Constant: _constant,
    ast.FunctionDef: _function,
    ast.arguments: _arguments,
    ast.For: _ended_otherwise,
    ast.While: _ended_otherwise,
    ast.Try: _try,
    ast.Call: _call,
    ast.Dict: _dict,
    ast.withitem: _as_name,
}
