"""The page about compatibility says what the reports say."""

import runpy
from dataclasses import replace
from pathlib import Path

from viz.commands.sweep_report import read_report

DOCS = Path(__file__).parents[1] / "docs"
SCRIPT = runpy.run_path(str(DOCS / "compatibility.py"))


def test_the_page_is_made_from_the_reports_that_are_committed() -> None:
    """`make compatibility` writes it; it is not edited by hand."""
    assert (DOCS / "compatibility.md").read_text(encoding="utf-8") == SCRIPT["page"]()


def test_no_layer_of_any_model_in_the_reports_failed() -> None:
    """Every layer was drawn or explained, and the numbers add up."""
    rows = [row for path in sorted((DOCS / "compatibility").glob("*.jsonl")) for row in read_report(path)]
    assert rows
    assert [row.model for row in rows if row.failed] == []
    assert all(row.layers == row.drawn + row.explained > 0 for row in rows)


def test_kinds_of_evidence_are_counted_where_rows_have_them() -> None:
    """Reports from before have none, and no line."""
    row = read_report(DOCS / "compatibility" / "torchvision.jsonl")[0]
    rows = [replace(row, evidence={"weight": 3, "direct": 1}), replace(row, evidence={"direct": 1200})]
    assert list(SCRIPT["evidence"](rows)) == ["", "Explained by evidence: direct 1,201, weight 3."]
    assert list(SCRIPT["evidence"]([replace(row, evidence={})])) == []


def test_a_failure_is_named_below_the_table() -> None:
    """The line names the layer and what went wrong."""
    row = read_report(DOCS / "compatibility" / "torchvision.jsonl")[0]
    failed = type(row)("odd", 2, 1, 0, 1, 1.0, 2.0, (("conv", "RuntimeError: no"),))
    lines = list(SCRIPT["table"]([row, failed]))
    assert any(line.startswith("| `odd` | 2 | 1 | 0 | 1 |") for line in lines)
    assert lines[-1] == "- `odd` conv: RuntimeError: no"
