"""Walker of an answer's tree, which turns errors into sentences."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...sentences import Sentence
from ..refusal import CodeError, at_line
from .expressions import EXPRESSIONS
from .grammar import tree_of
from .session import Session
from .statements import STATEMENTS, Flow
from .values import Function, Handle, Scope

PYTHONS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What Python and PyTorch raise of an answer's values."""
_LONGEST = 300


@dataclass(frozen=True)
class AnswerRun:
    """Result of running an answer.

    Attributes:
        values: its names at the end.
        inside: the names that its functions alone assigned, which end with each call.
        error: the one that stopped it, if one did, with its line.
        printed: the lines that it printed.
        left: the hooks that it did not remove; they are gone all the same.
        used: the functions of ours that it called.
        runs: the number of times that the net, or a layer, ran.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    inside: frozenset[str] = frozenset()
    error: CodeError | None = None
    printed: tuple[str, ...] = ()
    left: tuple[Handle, ...] = ()
    used: frozenset[str] = frozenset()
    runs: int = 0


class AnswerWalker:
    """Walks one answer's tree."""

    def __init__(self, session: Session) -> None:
        self.session = session
        session.call = self.call

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """Return the value of an expression.

        Raises:
            CodeError: it has none here.
        """
        self.session.step()
        try:
            return EXPRESSIONS[type(node)](self, node, scope)
        except CodeError as error:
            raise at_line(error, node.lineno) from None
        except PYTHONS as error:
            raise CodeError(_said(error), node.lineno) from None

    def block(self, body: Iterable[ast.stmt], scope: Scope) -> Flow | None:
        """Carry out statements; return how they were left, if they were.

        Raises:
            CodeError: one of them cannot be carried out.
        """
        for node in body:
            self.session.step()
            try:
                flow = STATEMENTS[type(node)](self, node, scope)
            except CodeError as error:
                raise at_line(error, node.lineno) from None
            except PYTHONS as error:
                raise CodeError(_said(error), node.lineno) from None
            if flow is not None:
                return flow
        return None

    def call(self, function: Function, given: Sequence[Any]) -> Any:
        """Return the value that a visitor's function returns.

        Raises:
            CodeError: it is called with too many values or too few, or cannot do what it says.
        """
        if len(given) != len(function.parameters):
            raise CodeError(
                Sentence(
                    "`{name}` has {count} parameters and is called with {given} values.",
                    name=function.name[:40],
                    count=len(function.parameters),
                    given=len(given),
                )
            )
        scope = Scope(dict(zip(function.parameters, given, strict=True)), function.scope)
        self.session.enter()
        try:
            if isinstance(function.body, ast.expr):
                return self.value(function.body, scope)
            flow = self.block(function.body, scope)
            return flow.value if flow is not None else None
        finally:
            self.session.leave()


def _said(error: Exception) -> Sentence:
    """Return Python's or PyTorch's message in its own words.

    They are the ones to search for.
    """
    if isinstance(error, RecursionError):
        return Sentence("These functions call each other without end.")
    if "allocate memory" in str(error):
        return Sentence("This takes more memory than an exercise may.")
    first = (str(error).strip().splitlines() or [""])[0][:_LONGEST]
    return Sentence("Python stops here: `{error}`", error=f"{type(error).__name__}: {first}")


def run_answer(source: str, given: Mapping[str, Any]) -> AnswerRun:
    """Run a visitor's code with given names, without raising its errors.

    A ``MemoryError`` is not the code's alone, and is passed on.
    """
    session = Session()
    scope, error, inside = Scope(dict(given)), None, frozenset[str]()
    try:
        tree = tree_of(source)
        inside = assigned_inside(tree)
        AnswerWalker(session).block(tree.body, scope)
    except CodeError as stopped:
        error = stopped
    finally:
        left = session.end()
    values = {name: value for name, value in scope.values.items() if name not in given}
    used, printed = frozenset(session.used), tuple(session.printed)
    return AnswerRun(values, inside, error, printed, left, used, session.spent.runs)


def assigned_inside(tree: ast.Module) -> frozenset[str]:
    """Return the names that functions assign."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = (node for function in functions for node in ast.walk(function))
    return frozenset(
        node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
