"""``python -m viz sweep`` from the command line to the report."""

import json
from pathlib import Path

import pytest

import models
from viz.__main__ import main
from viz.commands.sweep_report import Row, append_row


def lines(path: Path) -> list[dict[str, object]]:
    """The report's objects."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_report_has_a_line_for_each_model_and_is_gone_on_with(tmp_path: Path) -> None:
    """The second sweep adds what is missing and leaves what is there as it is."""
    report = tmp_path / "report.jsonl"
    arguments = ["sweep", "--family", "bundled", "--models", "lenet,signalnet", "--json", str(report)]
    assert main([*arguments, "--limit", "1"]) == 0
    first = report.read_text()
    [row] = lines(report)
    assert row["model"] == "lenet"
    assert row["layers"] == row["drawn"] == len(list(models.load("lenet", weights="random").children()))
    assert (row["explained"], row["failed"], row["failures"]) == (0, 0, [])
    assert main(arguments) == 0
    assert report.read_text().startswith(first)
    assert [row["model"] for row in lines(report)] == ["lenet", "signalnet"]
    whole = report.read_text()
    assert main(arguments) == 0
    assert report.read_text() == whole


def test_without_a_file_the_objects_go_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    """Only they do; progress and totals are on standard error."""
    assert main(["sweep", "--family", "bundled", "--limit", "1", "--json"]) == 0
    written = capsys.readouterr()
    assert json.loads(written.out)["model"] == "lenet"
    assert "1 model: 12 layers" in written.err


def test_people_get_a_line_for_each_model_and_a_sum(capsys: pytest.CaptureFixture[str]) -> None:
    """This is the output if no report is asked for."""
    assert main(["sweep", "--family", "bundled", "--limit", "1"]) == 0
    row, total = capsys.readouterr().out.splitlines()
    assert row.startswith("lenet: 12 layers, 12 drawn")
    assert total == "1 model: 12 layers, 12 drawn, 0 explained, 0 failed"


def test_a_sweep_with_a_layer_that_failed_ends_with_status_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also if it failed when the report was begun; a script that checks a model can rely on it."""
    report = tmp_path / "report.jsonl"
    append_row(report, Row("lenet", 12, 11, 0, 1, 1.0, 2.0, (("conv1", "no output: nobody knows why"),)))
    arguments = ["sweep", "--family", "bundled", "--json", str(report), "--models"]
    assert main([*arguments, "lenet"]) == 1
    assert main([*arguments, "lenet,signalnet"]) == 1
    assert main([*arguments, "signalnet"]) == 0
    assert "1 failed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--family", "nobody"], "nobody"),
        (["--family", "bundled", "--models", "resnet18"], "resnet18"),
        (["--family", "bundled", "--limit", "0"], "--limit 0"),
        (["--family", "bundled", "--json", "/no/such/folder/report"], "/no/such/folder"),
    ],
)
def test_a_sweep_that_cannot_be_done_is_refused_in_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, before any model is loaded."""
    assert main(["sweep", *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert words in line


def test_a_file_that_is_no_report_is_not_written_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So a mistyped name does not destroy a file."""
    path = tmp_path / "thesis.txt"
    path.write_text("Chapter 1\n")
    assert main(["sweep", "--family", "bundled", "--json", str(path)]) == 2
    assert "no report" in capsys.readouterr().err
    assert path.read_text() == "Chapter 1\n"


def test_values_are_compared_with_hooks_that_are_named(tmp_path: Path) -> None:
    """Every check is in the report, and none finds anything."""
    report = tmp_path / "report.jsonl"
    arguments = ["sweep", "--family", "bundled", "--limit", "1", "--json", str(report)]
    assert main([*arguments, "--against", "tools.plain_hooks:compared"]) == 0
    [row] = lines(report)
    assert (row["exact"], row["inexact"], row["tensors"], row["faults"]) == (12, 0, 12, [])
    assert row["places"] == {"known": 11, "guessed": 1, "wrong": 0, "no place": 0}
    assert set(row["modes"].values()) == {"unchanged"}


def test_a_sweep_that_finds_something_wrong_ends_with_status_one(tmp_path: Path) -> None:
    """Though every layer was drawn."""
    report = tmp_path / "report.jsonl"
    append_row(report, Row("lenet", 12, 12, 0, 0, 1.0, 2.0, faults=(("conv1", "inexact: call 0"),)))
    assert main(["sweep", "--family", "bundled", "--json", str(report), "--models", "lenet"]) == 1


@pytest.mark.parametrize("name", ["nothing", "tools.plain_hooks:missing", "no_such_module:compared", "1:2"])
def test_hooks_that_cannot_be_found_are_refused_before_any_model(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line."""
    with pytest.raises(SystemExit) as left:
        main(["sweep", "--family", "bundled", "--against", name])
    assert left.value.code == 2
    assert name in capsys.readouterr().err
