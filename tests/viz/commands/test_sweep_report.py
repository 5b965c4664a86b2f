"""The report of a sweep: one JSON object on each line, which a later sweep continues."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from viz.commands.sweep_report import Row, append_row, read_report, row_from_json, summary
from viz.errors import RequestError

ROW = Row("lenet", 4, 2, 1, 1, 1.25, 300.5, (("conv1", "RuntimeError: no"),), {"direct": 1})
CHECKED = replace(
    ROW,
    exact=2,
    inexact=1,
    tensors=3,
    places={"known": 1, "wrong": 1},
    modes={"outputs": "unchanged"},
    faults=(("conv1", "inexact: call 0"),),
)


def test_a_row_is_written_as_the_contract_says() -> None:
    """Its keys, in order, and pairs for the failures."""
    assert json.loads(CHECKED.as_json()) == {
        "model": "lenet",
        "layers": 4,
        "drawn": 2,
        "explained": 1,
        "failed": 1,
        "seconds": 1.25,
        "peak_mb": 300.5,
        "failures": [["conv1", "RuntimeError: no"]],
        "evidence": {"direct": 1},
        "exact": 2,
        "inexact": 1,
        "tensors": 3,
        "places": {"known": 1, "wrong": 1},
        "modes": {"outputs": "unchanged"},
        "faults": [["conv1", "inexact: call 0"]],
    }
    assert row_from_json(CHECKED.as_json()) == CHECKED


def test_a_row_from_before_evidence_was_counted_is_read_without_it() -> None:
    """An old report can be gone on with."""
    old = {name: value for name, value in json.loads(ROW.as_json()).items() if name != "evidence"}
    assert row_from_json(json.dumps(old)) == replace(ROW, evidence={})


def test_a_row_from_before_the_checks_is_read_without_them() -> None:
    """It counts as sound unless something failed."""
    checks = {"exact", "inexact", "tensors", "places", "modes", "faults"}
    old = {name: value for name, value in json.loads(CHECKED.as_json()).items() if name not in checks}
    assert row_from_json(json.dumps(old)) == ROW
    assert not ROW.sound
    assert replace(ROW, failed=0).sound
    assert not replace(CHECKED, failed=0).sound


def test_rows_are_added_and_read_again(tmp_path: Path) -> None:
    """A missing file counts as an empty report."""
    path = tmp_path / "report.jsonl"
    assert read_report(path) == []
    append_row(path, ROW)
    append_row(path, ROW)
    assert read_report(path) == [ROW, ROW]


def test_a_line_that_was_cut_short_is_taken_out(tmp_path: Path) -> None:
    """An interrupted sweep leaves such a line; without it, the next row gets its own line."""
    path = tmp_path / "report.jsonl"
    path.write_text(ROW.as_json() + "\n" + ROW.as_json()[:40])
    assert read_report(path) == [ROW]
    append_row(path, ROW)
    assert read_report(path) == [ROW, ROW]


@pytest.mark.parametrize("content", ["hello\n", "[1]\n", '{"model": "x"}\n', "3\n", ROW.as_json() + "\nno\n"])
def test_a_file_that_is_no_report_is_left_alone(content: str, tmp_path: Path) -> None:
    """Somebody's own file is neither written to nor resumed."""
    path = tmp_path / "diary.txt"
    path.write_text(content)
    with pytest.raises(RequestError, match="no report"):
        read_report(path)
    assert path.read_text() == content


def test_what_cannot_be_read_or_written_is_said(tmp_path: Path) -> None:
    """A folder, and a picture."""
    with pytest.raises(RequestError, match="cannot read"):
        read_report(tmp_path)
    with pytest.raises(RequestError, match="cannot write"):
        append_row(tmp_path, ROW)
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(RequestError, match="cannot read"):
        read_report(tmp_path / "picture")


def test_people_read_a_row_and_the_sum_in_one_line_each() -> None:
    """Failures below, indented."""
    assert str(ROW).splitlines() == [
        "lenet: 4 layers, 2 drawn, 1 explained, 1 failed, 1.2 s, 300 MB",
        "    conv1: RuntimeError: no",
    ]
    assert summary([ROW, ROW]) == "2 models: 8 layers, 4 drawn, 2 explained, 2 failed"
    assert summary([ROW]).startswith("1 model: ")
    assert str(CHECKED).splitlines()[-1] == "    conv1: inexact: call 0"
    assert summary([ROW, CHECKED]).endswith("2 failed, and 1 with values, places or outputs that are wrong")
