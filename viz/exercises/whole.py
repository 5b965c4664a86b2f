"""Whole Python, for visitors of this machine if its operator allows it.

The operator allows it by ``serve --allow-code``, for visitors of this machine alone. Nothing here is checked:
the code may do what the operator may do. It still runs in a process of its own with limits on time and
memory, and the same things are asked of its values.
"""

import ast
import contextlib
import io
import traceback
from collections.abc import Iterator, Mapping
from types import CodeType
from typing import Any

from torch import nn

from ..sentences import Sentence
from .refusal import CodeError
from .subset.bounds import LONGEST_CODE, LONGEST_TEXT, MOST_PRINTED
from .subset.shown import whole_characters
from .subset.values import Handle
from .subset.walking import AnswerRun, assigned_inside
from .unreadable import unreadable

FILE = "<answer>"
_TABLES = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks")


def run_whole(source: str, given: Mapping[str, Any], net: nn.Module) -> AnswerRun:
    """Run a visitor's whole Python with the given names.

    The real net is among them.
    """
    names, printed = dict(given), io.StringIO()
    before, error, tree = set(_hooks(net)), None, ast.Module([], [])
    try:
        tree, code = _compiled(source)
        with contextlib.redirect_stdout(printed):
            exec(code, names)  # noqa: S102  # what this module is for; ``viz.ui`` decides who may
    except CodeError as stopped:
        error = stopped
    except MemoryError:
        raise
    except BaseException as stopped:  # noqa: BLE001  # their code may raise anything, SystemExit too
        error = CodeError(_said(stopped), _line(stopped))
    left = tuple(_handle(name) for name, _ in set(_hooks(net)) - before)
    values = {name: value for name, value in names.items() if name not in given and name != "__builtins__"}
    said = whole_characters(printed.getvalue()).splitlines()
    lines = tuple(line[:LONGEST_TEXT] for line in said[:MOST_PRINTED])
    return AnswerRun(values, assigned_inside(tree), error, lines, left, _called(tree))


def _compiled(source: str) -> tuple[ast.Module, CodeType]:
    """The tree and the code of a text.

    Raises:
        CodeError: it is no Python, or too long.
    """
    if len(source) > LONGEST_CODE:
        raise CodeError(Sentence("An answer has at most {most} characters.", most=LONGEST_CODE))
    try:
        tree = ast.parse(source)
        return tree, compile(tree, FILE, "exec")
    except SyntaxError as error:
        raise CodeError(unreadable(source, error), error.lineno or 1) from None
    except (ValueError, RecursionError, MemoryError):
        raise CodeError(Sentence("Python cannot read this code: it is nested too deep."), 1) from None


def _hooks(net: nn.Module) -> Iterator[tuple[str, int]]:
    """Every hook on a net: its layer's name and its id."""
    for name, module in net.named_modules():
        for table in _TABLES:
            yield from ((name or "net", id(hook)) for hook in vars(module).get(table, {}).values())


def _handle(where: str) -> Handle:
    return Handle(None, "", where)


def _called(tree: ast.Module) -> frozenset[str]:
    """The names before brackets in the code."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return frozenset(
        function.attr if isinstance(function, ast.Attribute) else function.id
        for function in calls
        if isinstance(function, ast.Attribute | ast.Name)
    )


def _said(error: BaseException) -> Sentence:
    first = whole_characters((str(error).strip().splitlines() or [""])[0][:300])
    return Sentence("Python stops here: `{error}`", error=f"{type(error).__name__}: {first}")


def _line(error: BaseException) -> int:
    """The innermost line of the answer on the way to an error."""
    lines = [
        frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE
    ]
    return lines[-1] if lines else 0
