"""A step's code runs: what it prints, the order of its lines, its values, and what goes wrong."""

import sys

import pytest
import torch

from viz.course.running import MOST_LINES, MOST_PRINTED, CodeRun, by_statement, found_in, ran
from viz.course.tasks import StepRun

HOOK = """\
def hook(layer, inputs, output):
    print("hook")

layer.register_forward_hook(hook)
print("before", 1)
layer(x)
print("after")
"""


def no_photo() -> bytes:
    """Nobody asks for it."""
    raise AssertionError


def test_lines_are_noted_in_the_order_in_which_they_ran() -> None:
    """The hook's own line comes between the call of the layer and the line behind it."""
    done = ran(HOOK, {"layer": torch.nn.ReLU(), "x": torch.ones(1)})
    assert done == CodeRun(["before 1", "hook", "after"], [1, 4, 5, 6, 2, 7], "")


def test_nothing_is_printed_and_no_tracer_stays(capsys: pytest.CaptureFixture[str]) -> None:
    """Other threads print too; and a debugger gets its own tracer back."""
    before = sys.gettrace()
    ran("print('x')\nraise ValueError('wrong')", names := {})
    assert capsys.readouterr().out == ""
    assert sys.gettrace() is before
    assert "print" in names


def test_an_exception_ends_the_run_and_is_kept() -> None:
    """With its name and its words, as Python writes them; nothing is evaluated then."""
    done = ran("a = 1\na / 0\nprint(a)", {})
    assert (done.error, done.lines) == ("ZeroDivisionError: division by zero", [1, 2])
    assert found_in({}, StepRun("", "nonsense"), done, no_photo).error == done.error


def test_a_long_loop_is_noted_to_its_bounds_only() -> None:
    """Lines and prints are counted up to a limit."""
    done = ran("for each in range(10_000):\n    print(each)", {})
    assert (len(done.lines), len(done.printed)) == (MOST_LINES, MOST_PRINTED)


def test_the_answer_is_the_last_line_or_what_the_step_says() -> None:
    """An expression sees the step's names, and what was printed."""
    names = {"picture": None}
    done = ran("kept = [1, 2]\nprint('first')\nprint(len(kept))", names)
    assert found_in(names, StepRun(""), done, no_photo).answer == "2"
    assert found_in(names, StepRun("", "printed[0]"), done, no_photo).answer == "first"
    said = found_in(
        names, StepRun("", "", sentences=(("sum(kept):.1f", "sum(kept)", ".1f"),)), done, no_photo
    )
    assert dict(said.values) == {"sum(kept):.1f": "3.0"}


def test_the_right_map_is_the_one_that_is_equal() -> None:
    """The first of several, which are alike; None if it is none of them."""
    names = {"picture": None}
    done = ran("import torch\na, b = torch.zeros(2, 2), torch.ones(2, 2)\nc = b.clone()", names)
    one = found_in(names, StepRun("", "c", maps=("a", "b")), done, no_photo)
    assert (one.place, one.alike) == (1, ())
    several = found_in(names, StepRun("", "c", maps=("a", "c", "a", "b")), done, no_photo)
    assert (several.place, several.alike) == (1, (3,))
    assert found_in(names, StepRun("", "c + 1", maps=("a", "b")), done, no_photo).place is None


def test_a_statement_of_several_lines_runs_once() -> None:
    """By its first line; in a loop once for each time."""
    code = "small = dict(\n    a=1,\n    b=2)\nfor x in [1, 2]:\n    y = (x +\n         1)\nprint(small)"
    done = ran(code, {})
    assert by_statement(done.lines, code) == [1, 4, 5, 4, 5, 4, 7]
