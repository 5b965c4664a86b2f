"""The page about compatibility says what the reports say."""

import runpy
from dataclasses import replace
from pathlib import Path

from viz.commands.sweep_report import Row, read_report

DOCS = Path(__file__).parents[1] / "docs"
SCRIPT = runpy.run_path(str(DOCS / "compatibility.py"))


def test_the_page_is_made_from_the_reports_that_are_committed() -> None:
    """`make compatibility` writes it; it is not edited by hand."""
    assert (DOCS / "compatibility.md").read_text(encoding="utf-8") == SCRIPT["page"]()


def test_no_layer_of_any_model_in_the_reports_failed() -> None:
    """Every layer was drawn or explained, and the numbers add up."""
    rows = [row for path in sorted((DOCS / "compatibility").glob("*.jsonl")) for row in read_report(path)]
    assert rows
    assert [row.model for row in rows if not row.sound] == []
    assert all(row.layers == row.drawn + row.explained > 0 for row in rows)


def test_each_model_of_other_libraries_has_a_look_with_nothing_wrong() -> None:
    """Edit and gradient are those of plain hooks, and the page says what the library documents."""
    looks = SCRIPT["looks_of"]("others")
    assert set(looks) == {row.model for row in read_report(DOCS / "compatibility" / "others.jsonl")}
    assert {(look["edit"], look["gradient"]) for look in looks.values()} == {("unchanged", "unchanged")}
    assert {look["meaning"] for look in looks.values()} == {
        *("logits", "boxes", "masks", "several", "no classes")
    }


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
    lines = list(SCRIPT["table"]([row, replace(failed, faults=(("relu", "inexact: call 0"),))]))
    assert any(line.startswith("| `odd` | 2 | – | – | – | – | – | – | 0 | 1 | 1.0 | 2 |") for line in lines)
    assert lines[-2:] == ["- `odd` conv: RuntimeError: no", "- `odd` relu: inexact: call 0"]


def test_what_the_checks_found_has_columns_and_a_sentence() -> None:
    """Rows from before the checks have dashes and do not count in the sentence."""
    places = {"known": 2, "guessed": 1, "wrong": 1, "no place": 0}
    modes = {"outputs": "unchanged", "inputs": "output differs by up to 2", "gradients": "too large"}
    old = Row("old", 4, 3, 1, 0, 1.0, 2.0)
    new = replace(
        old, model="new", evidence={"direct": 1}, exact=2, inexact=1, tensors=5, places=places, modes=modes
    )
    header, _, first, second, _ = SCRIPT["table"]([old, new])
    assert header.count("|") == first.count("|") == second.count("|")
    assert first == "| `new` | 4 | 2 of 3 | 2 | 1 | 1 | 0 | 1/2, too large | 1: direct 1 | 0 | 1.0 | 2 |"
    assert second == "| `old` | 4 | – | – | – | – | – | – | 1 | 0 | 1.0 | 2 |"
    assert "".join(SCRIPT["checks"]([old, new])) == (
        "Checked: 1 of 2 models. Exact: 2 of 3 layers (5 tensors). Places: 2 known, 1 guessed, 1 wrong, 0 no "
        "place. Outputs unchanged: 1 of 2 modes, 1 too large."
    )
    assert list(SCRIPT["checks"]([old])) == []
