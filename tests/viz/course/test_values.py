"""Values in sentences: what stands in braces is found, evaluated by others, and filled in."""

import pytest
import torch

from viz.course.values import expressions_in, filled, label, labels_in, written

TEXT = "{len(a)} of {b.mean().item():.2f} and {c[0]}"


def test_expressions_are_found_with_their_formats() -> None:
    """In their order; calls and indices may stand in them."""
    assert expressions_in(TEXT) == ["len(a)", "b.mean().item()", "c[0]"]
    assert labels_in(TEXT)[1] == ("b.mean().item():.2f", "b.mean().item()", ".2f")


def test_values_are_filled_in_by_their_labels() -> None:
    """And marked, if somebody wants to mark them."""
    values = {"len(a)": "3", label("b.mean().item()", ".2f"): "0.50", "c[0]": "x"}
    assert filled(TEXT, values) == "3 of 0.50 and x"
    assert filled("{c[0]}!", values, lambda value: f"<{value}>") == "<x>!"


def test_a_brace_that_is_alone_is_an_error() -> None:
    """The reader of the file adds the place."""
    with pytest.raises(ValueError, match="expected '}'"):
        expressions_in("one { brace")


def test_values_are_written_as_python_writes_them() -> None:
    """A shape as a tuple, a number by its format, and nothing is endless."""
    assert written(torch.zeros(1, 2).shape) == "(1, 2)"
    assert written(0.123, ".1f") == "0.1"
    assert len(written("x" * 5000)) == 200
