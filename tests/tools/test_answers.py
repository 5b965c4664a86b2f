"""The scripts that are made from Python: that the files in the repository are what it says."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools import answers


def test_the_file_is_what_the_structs_say() -> None:
    """``make answers`` writes it, and the check of ``make lint`` finds nothing."""
    assert answers.FILE.read_text("utf-8") == answers.declarations()
    checked = subprocess.run([sys.executable, "-m", "tools.answers"], check=False, capture_output=True)
    assert (checked.returncode, checked.stderr) == (0, b"")


def test_an_old_file_is_found_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence says what to do; ``--update`` does it."""
    old = tmp_path / "answers.d.ts"
    old.write_text(answers.declarations().replace("interface ", "interface Old", 1), "utf-8")
    monkeypatch.setattr(answers, "FILE", old)
    monkeypatch.setattr(sys, "argv", ["answers"])
    assert answers.main() == 1
    assert "run make answers" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["answers", "--update"])
    assert answers.main() == 0
    assert old.read_text("utf-8") == answers.declarations()
