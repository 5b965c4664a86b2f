"""The command that runs another one as a stranger would."""

import os
import stat
from pathlib import Path

import pytest

from tools import elsewhere


def test_a_stranger_brings_nothing_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command gets the settings that are named there and no other one, and no group."""
    monkeypatch.setenv("LAYERGLASS_MODELS_MB", "1")
    words = elsewhere.becoming(Path("/place"))
    assert words[words.index("env") + 1] == "-i"
    settings = dict(each.split("=", 1) for each in words[words.index("-i") + 1 :])
    assert settings["HOME"] == "/place/home"
    assert (settings["LANG"], settings["TZ"]) == ("C", "Pacific/Auckland")
    assert not [name for name in settings if name.startswith("LAYERGLASS")]
    assert "--clear-groups" in words


def test_of_what_only_root_may_enter_the_interpreter_alone_is_shown(tmp_path: Path) -> None:
    """Two folders in a closed one: it is covered once, and each is put where it was."""
    closed = tmp_path / "closed"
    folders = [closed / "interpreter", closed / "kept" / "venv"]
    for folder in folders:
        folder.mkdir(parents=True)
    closed.chmod(0o700)
    covered = [each for each in (closed, *closed.parents) if not each.stat().st_mode & stat.S_IXOTH][-1]
    assert elsewhere.opening([Path("/usr/bin")], Path("/place")) == []
    commands = elsewhere.opening(folders, Path("/place"))
    assert [each for each in commands if "tmpfs" in each] == [
        ["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", str(covered)]
    ]
    back = [each[2:] for each in commands if each[:2] == ["mount", "--bind"]]
    kept = [f"/place/kept-{number}" for number in range(2)]
    whole = list(zip(map(str, folders), kept, strict=True))
    assert back == [*map(list, whole), *([aside, folder] for folder, aside in whole)]


def test_who_is_not_root_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is made."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert elsewhere.main(["true"]) == 2
    assert "must be started by root" in capsys.readouterr().err
