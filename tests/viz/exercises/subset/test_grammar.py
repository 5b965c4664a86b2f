"""Grammar of the Python that may be written: a list of nodes, and a sentence with a line for every other."""

import ast

import pytest

from viz.exercises.refusal import CodeError
from viz.exercises.subset.expressions import EXPRESSIONS as WALKED
from viz.exercises.subset.grammar import ALLOWED, EXPRESSIONS, STATEMENTS, tree_of
from viz.exercises.subset.statements import STATEMENTS as CARRIED_OUT

REFUSED = {
    "import os": "imported",
    "from os import path": "imported",
    "x = 1\nimport torch": "imported",
    "class A:\n    pass": "Classes",
    "del x": "`del`",
    "raise ValueError": "`raise`",
    "assert 1": "`assert`",
    "[x for x in y]": "Comprehensions",
    "{x for x in y}": "Comprehensions",
    "{x: x for x in y}": "Comprehensions",
    "(x for x in y)": "Comprehensions",
    "f'{x}'": "braces",
    "f'{x.__class__}'": "braces",
    "x: int = 3": "Types",
    "(x := 3)": ":=",
    "f(*x)": "star",
    "f(**x)": "star",
    "{**x}": "star",
    "a, *b = x": "star",
    "async def f():\n    pass": "not part",
    "def f():\n    yield 1": "not part",
    "def f():\n    yield from x": "not part",
    "await x": "not part",
    "with a as (b, c):\n    pass": "not part",
    "match x:\n    case 1:\n        pass": "not part",
    "a @ b": "`@`",
    "a << 2": "not part",
    "a | b": "not part",
    "~a": "not part",
    "try:\n    pass\nexcept:\n    pass": "try",
    "try:\n    pass\nexcept Exception as e:\n    e.__traceback__": "try",
    "try:\n    pass\nexcept* ValueError:\n    pass": "not part",
    "def f(x=[]):\n    pass": "plain parameters",
    "def f(*x):\n    pass": "plain parameters",
    "lambda x=print: x": "plain parameters",
    "@print\ndef f():\n    pass": "Decorators",
    "x.y = 3": "Nothing can be written",
    "x.__class__": "private",
    "x._modules": "private",
    "__builtins__": "Python's own",
    "__import__('os')": "Python's own",
    "def __init__():\n    pass": "Python's own",
    "global __builtins__": "Python's own",
    "lambda __x: 1": "Python's own",
    "b'bytes'": "not part",
    "3j": "not part",
    f"{2**200}": "too large",
    "'" + "x" * 3000 + "'": "too long",
    "x = (": "never closed",
    "x" + "+x" * 60: "more code",
    "x+y\n" * 800: "more code",
    "x" * 5000: "at most",
    "for x in y:\n    pass\nelse:\n    pass": "else",
    "while x:\n    pass\nelse:\n    pass": "else",
    "type X = int": "Python",
}


@pytest.mark.parametrize(("code", "said"), REFUSED.items(), ids=[repr(code[:30]) for code in REFUSED])
def test_what_is_not_on_the_list_is_refused_with_a_line_and_advice(code: str, said: str) -> None:
    """Before anything runs; the line is that of the node, or the first for what is too much as a whole."""
    with pytest.raises(CodeError) as refused:
        tree_of(code)
    if said == "at most":
        assert refused.value.line == 0
    else:
        assert 1 <= refused.value.line <= code.count("\n") + 1
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "code", ["\0", "x = 1\0", "(" * 300, "[" * 250 + "]" * 250, "-" * 3000 + "1", "x" + ".y" * 1500]
)
def test_what_python_itself_cannot_read_is_refused_and_nothing_else_is_raised(code: str) -> None:
    """Python's parser gives up in many ways: each of them ends as one sentence."""
    with pytest.raises(CodeError):
        tree_of(code)


def test_every_node_on_the_list_is_carried_out_and_every_other_is_not() -> None:
    """All that may be written has one function each; nothing has a function that may not be written."""
    assert set(WALKED) == set(EXPRESSIONS) | ({ast.Slice} & set(WALKED))
    assert set(CARRIED_OUT) == set(STATEMENTS)


def test_no_node_that_python_knows_was_forgotten() -> None:
    """Those that are left out are named here, so that a new Python's new node is noticed, and refused."""
    every = {
        node
        for node in vars(ast).values()
        if isinstance(node, type) and issubclass(node, ast.AST) and not node.__subclasses__()
    }
    for node in every - ALLOWED:
        assert node not in ALLOWED
    assert {ast.Import, ast.ClassDef, ast.JoinedStr, ast.Await, ast.ListComp, ast.Starred} <= every - ALLOWED
