"""Unreadable Python is explained in words for beginners, whatever Python itself says of it."""

import ast

import pytest

from viz.exercises.unreadable import unreadable

BEGINNERS = {
    "kept[“maps”] = output": ("`“ ”`", 'Write `"` instead'),  # these are what it is about
    "x = ‘a’": ("`‘ ’`", "Write `'` instead"),  # noqa: RUF001
    "print（kept）": ("`（ ）`", "Write `( )` instead"),  # noqa: RUF001
    "f(a，b)": ("`，`", "Write `,` instead"),
    "def hook(a)：\n    pass": ("`：`", "Write `:` instead"),
    "x = 1；y = 2": ("`；`", "Write `;` instead"),  # noqa: RUF001
    'x = "abc”': ("`”`", 'Write `"` instead'),
    'print("《你好，世界》"，kept)': ("`，`", "Write `,` instead"),
    "x\u3000= 1": ("wide space",),
    "x = 5€": ("`€`", "only inside texts"),
    "x = (1\ny = 2": ("`(`", "a `)` is missing"),
    'kept["a"]] = 1': ("one `]` too many",),
    "x = [1)": ("`)` closes what `[` opened",),
    "def hook(layer, inputs, output)\n    pass": ("A colon `:` is missing",),
    "for x in y\n    pass": ("A colon `:` is missing",),
    "def f():\npass": ("four spaces more",),
    "def f():\n    # here\nx = 1": ("four spaces more",),
    "x = 1\n  y = 2": ("indent it less",),
    "def f():\n    x = 1\n  y = 2": ("exactly below",),
    "if x:\n\ty = 1\n        z = 2": ("tabs",),
    'x = "abc': ("closing quote is missing",),
    'x = """abc': ("closing quote is missing",),
    'kept("a") = 1': ("square brackets",),
    "if x = 1:\n    pass": ("write `==`",),
    "3 = x": ("left of `=`",),
    "f(a b)": ("between two values",),
    "print x": ("called with brackets",),
    "1x = 2": ("begin with a digit",),
    "try:\n    x\n": ("`finally:`",),
    "return 1": ("`return` belongs into a function",),
    "break": ("belong into a loop",),
    "x = = 2": ("Look for a missing bracket",),
}


@pytest.mark.parametrize(("code", "said"), BEGINNERS.items(), ids=[repr(code) for code in BEGINNERS])
def test_a_beginners_mistake_is_called_by_its_name(code: str, said: tuple[str, ...]) -> None:
    """And nothing of Python's own sentence is left."""
    with pytest.raises(SyntaxError) as refused:
        compile(ast.parse(code), "", "exec")
    sentence = unreadable(code, refused.value)
    for part in said:
        assert part in sentence
    assert str(refused.value.msg) not in sentence


def test_characters_inside_texts_and_comments_are_not_blamed() -> None:
    """Chinese texts may stand between Python's own quotes, and behind a #."""
    code = 'print("你好，世界", 1）  # “好”'  # noqa: RUF001
    with pytest.raises(SyntaxError) as refused:
        ast.parse(code)
    assert "`）`" in unreadable(code, refused.value)  # noqa: RUF001


def test_an_error_beyond_the_text_still_has_a_sentence() -> None:
    """Some versions of Python count a line that is not there."""
    assert "Look for" in unreadable("", SyntaxError("unheard of", ("", 7, 1, "")))
