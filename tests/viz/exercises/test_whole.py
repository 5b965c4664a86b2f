"""Whole Python, for an operator's own machine: it runs, and the same things are asked of it."""

import torch

from tests.viz.exercises.subset.nets import small_net, small_picture
from viz.exercises.subset.walking import AnswerRun
from viz.exercises.whole import run_whole


def ran(code: str) -> AnswerRun:
    """Return the run of the code by whole Python with the small net."""
    net = small_net()
    return run_whole(code, {"net": net, "picture": small_picture(), "torch": torch}, net)


def test_everything_of_python_runs() -> None:
    """Imports, classes, comprehensions; names that were given are not among the values."""
    found = ran(
        "import math\nclass A:\n    x = [math.floor(each) for each in (1.5, 2.5)]\nmaps = A.x\nprint('a', 1)"
    )
    assert found.error is None
    assert found.values["maps"] == [1, 2]
    assert found.printed == ("a 1",)
    assert not {"net", "picture", "torch", "__builtins__"} & set(found.values)


def test_hooks_that_are_left_and_functions_that_were_called_are_told() -> None:
    """As for the subset."""
    found = ran("def hook(m, i, o):\n    maps = o\nnet.conv.register_forward_hook(hook)\nnet(picture)")
    assert [handle.where for handle in found.left] == ["conv"]
    assert {"register_forward_hook", "net"} <= found.used
    assert "maps" in found.inside


def test_half_a_character_is_printed_as_its_escape() -> None:
    """The page could not be told of it otherwise; what is raised with one is told likewise."""
    assert ran(r"print('a\ud800')").printed == (r"a\ud800",)
    assert r"\udfff" in str(ran(r"raise ValueError('\udfff')").error)
    str(ran(r"raise ValueError('\udfff')").error).encode()


def test_whatever_is_raised_has_its_line() -> None:
    """Also what is no Exception, and what Python cannot read."""
    for code, line, said in (
        ("x = 1\n1 / 0", 2, "ZeroDivisionError"),
        ("import sys\nsys.exit()", 2, "SystemExit"),
        ("x = (", 1, "never closed"),
        ("def f():\n    raise KeyError('a')\nf()", 2, "KeyError"),
        ("x" * 5000, 0, "at most"),
        ("\0", 1, "cannot read"),
    ):
        error = ran(code).error
        assert error is not None
        assert error.line == line
        assert said in str(error)
