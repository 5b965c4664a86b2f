"""Text of a comparison, from rows made by hand."""

import json
import math
from dataclasses import replace

import pytest

from viz import Divergence, DivergenceRow, Tolerance
from viz.comparison.report import json_line, markdown, table, verdict
from viz.sentences import Sentence

ROW = DivergenceRow("conv", "net.conv", (1, 8, 4, 4), 0.25, 2.0, 0.5, 0.125, made_here=True, first=True)


def said(*rows: DivergenceRow, same_inputs: bool | None = True) -> str:
    """The sentence about these rows."""
    return str(verdict(Divergence(rows, Tolerance(), same_inputs)))


def test_a_line_of_json_has_the_nine_names_of_the_contract_and_a_reason() -> None:
    """In this order; the shape is a list."""
    assert json.loads(json_line(ROW)) == {
        "layer": "conv",
        "other": "net.conv",
        "shape": [1, 8, 4, 4],
        "max_abs": 0.25,
        "max_rel": 2.0,
        "cosine": 0.5,
        "outside": 0.125,
        "made_here": True,
        "first": True,
        "reason": None,
    }
    alone = replace(ROW, other=None, reason=Sentence("there is no {layer}", layer="conv"))
    assert json.loads(json_line(alone))["reason"] == "there is no conv"


def test_an_infinite_number_is_valid_json() -> None:
    """A strict reader takes it, and makes infinity of it; a layer of that name stays as it is."""
    line = json_line(replace(ROW, layer="Infinity", max_abs=math.inf, other=None))
    found = json.loads(line, parse_constant=pytest.fail)
    assert (found["layer"], found["max_abs"], found["other"]) == ("Infinity", math.inf, None)


def test_the_sentence_names_the_first_layer_and_where_its_difference_is_made() -> None:
    """Made there, handed down by code or by the inputs, unknown, or a layer that one side lacks."""
    assert said(ROW).startswith(
        "The two part at conv: given the same input, 12.50% of its values are outside"
    )
    handed = replace(ROW, made_here=False)
    assert said(handed).startswith("The two part before conv: ")
    assert said(handed, same_inputs=False).startswith("The two are given different inputs: ")
    assert said(replace(ROW, made_here=None)).startswith("The two part at conv: 12.50% of its values")
    assert "conv, which only the first has" in said(replace(ROW, other=None))
    assert "net.conv, which only the second has" in said(replace(ROW, layer=None))
    assert "the model's output" in said(replace(ROW, layer=""))


def test_the_sentence_counts_what_was_compared_if_all_agree() -> None:
    """A layer that only one side has is none of them."""
    agrees = replace(ROW, first=False, outside=0.0, made_here=False)
    alone = DivergenceRow("act", None, (1, 8), None, None, None, None, None)
    assert said(agrees, alone) == (
        "The two agree: none of 1 layers has a value outside the tolerance of 0.0001 + 0.0001 × |b|."
    )


def test_the_table_marks_the_first_layer() -> None:
    """With a sign before it, in columns under their headings."""
    agrees = replace(ROW, layer="stem", first=False, outside=0.0, made_here=False)
    headings, before, first = table(Divergence((agrees, ROW), Tolerance(), None)).splitlines()
    assert (before[0], first[0]) == (" ", ">")
    words = "> conv net.conv 1 × 8 × 4 × 4 2.50e-01 2.00e+00 0.500000 12.50% made here"
    assert first.split() == words.split()
    assert first.index("1 ×") == headings.index("output")


def test_a_row_without_a_counterpart_ends_with_the_reason() -> None:
    """In the column where others have that a difference is made there."""
    alone = DivergenceRow("act", None, (1, 8), *[None] * 5, reason=Sentence("there is none"))
    assert table(Divergence((ROW, alone), Tolerance())).splitlines()[-1].endswith("there is none")
    assert markdown(Divergence((ROW, alone), Tolerance())).endswith("| there is none |\n")


def test_a_report_in_markdown_begins_with_the_sentence() -> None:
    """Then a table with as many cells in each line, and the first layer in bold."""
    agrees = replace(ROW, layer="a|b", first=False, outside=0.0, made_here=False)
    sentence, empty, *rows = markdown(Divergence((agrees, ROW), Tolerance(), None)).splitlines()
    assert sentence.startswith("The two part at conv")
    assert not empty
    assert [row.replace("\\|", "").count("|") for row in rows] == [9] * 4
    assert rows[2].startswith("| a\\|b | net.conv |")
    assert rows[3].startswith("| **conv** | **net.conv** |")
