"""``doctor`` as somebody calls it: its lines, its JSON, and its status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.machine import patience
from viz.__main__ import main
from viz.commands.machine.diagnosis import diagnosis, diagnosis_lines, found_out
from viz.commands.machine.facts import Diagnosis, Fact
from viz.commands.machine.hardware import disk, weights_folder

ROOT = Path(__file__).parents[4]
NAMES = ["python", "packages", "pytorch", "memory", "processor", "card", "engine"]
NAMES += ["weights", "disk", "results", "port", "network", "chromium"]


def test_a_line_says_what_there_is_and_what_to_do() -> None:
    """The page runs as long as nothing is fatal."""
    good = Fact(name="a", grade="good", said="one thing")
    lacking = Fact(name="b", grade="lacking", said="another", advice="Get it.")
    assert list(diagnosis_lines(diagnosis([good, None, lacking])))[:-1] == [
        "ok   one thing",
        "warn another. Get it.",
    ]
    assert diagnosis([good, lacking]).page_runs
    fatal = diagnosis([Fact(name="c", grade="fatal", said="broken", advice="Mend it.")])
    first, last = diagnosis_lines(fatal)
    assert not fatal.page_runs
    assert first == "fail broken. Mend it."
    assert "cannot run" in last
    assert "'fail'" in last


def test_this_machine_runs_the_page_as_the_other_tests_do(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each fact, and one for all."""
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(NAMES) + 1
    assert lines[-1].endswith("the page can run here.")


def test_a_fact_that_cannot_be_found_out_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where there is no home folder; the page may run all the same."""

    def fails() -> Path:
        raise RuntimeError("Could not determine\nhome directory.")

    for name in ("XDG_CACHE_HOME", "TORCH_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pathlib.Path.home", fails)
    found = found_out("disk", lambda: disk(weights_folder()))
    assert found is not None
    assert (found.name, found.grade, bool(found.advice)) == ("disk", "lacking", True)
    assert found.said == "disk: cannot be found out: RuntimeError: Could not determine home directory."


def test_a_broken_pytorch_is_a_sentence_and_status_1(tmp_path: Path) -> None:
    """In a process that finds such a one first; the JSON is the struct, and all else is still said."""
    (tmp_path / "torch.py").write_text("raise ImportError('no library for this processor')")
    done = subprocess.run(
        [sys.executable, "-m", "viz", "doctor", "--json"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=patience(120),
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    found = msgspec.convert(json.loads(done.stdout), Diagnosis)
    assert [each.name for each in found.facts] == NAMES
    wrong = [each for each in found.facts if each.grade == "fatal"]
    assert [each.said for each in wrong] == ["PyTorch cannot be imported: no library for this processor"]
    assert not found.page_runs
