"""Locks of files: nobody else gets one, whatever the system has for it."""

import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from viz.system import locking

TRY = """
import sys
from viz.system.locking import lock
with open(sys.argv[1], "ab") as file:
    lock(file, from_threads=sys.argv[2] == "threads")
"""


def is_refused_elsewhere(path: Path, how: str) -> bool:
    """Return whether another process gets no lock."""
    done = subprocess.run([sys.executable, "-c", TRY, path, how], capture_output=True, text=True, check=False)
    assert done.returncode == 0 or "BlockingIOError" in done.stderr
    return done.returncode != 0


@pytest.mark.parametrize("how", ["threads", "processes"])
def test_another_process_is_refused_until_the_file_is_closed(tmp_path: Path, how: str) -> None:
    """A process of its own asks: within one, not all locks are seen."""
    path = tmp_path / "lock"
    with path.open("wb") as file:
        locking.lock(file, from_threads=how == "threads")
        assert is_refused_elsewhere(path, how)
    assert not is_refused_elsewhere(path, how)


def test_windows_locks_the_first_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own module is asked once, not to wait; what it raises reaches the caller."""
    asked = []
    windows = SimpleNamespace(LK_NBLCK=2, locking=lambda *arguments: asked.append(arguments))
    monkeypatch.setattr(locking, "_posix", None)
    monkeypatch.setattr(locking, "_windows", windows)
    with (tmp_path / "lock").open("wb") as file:
        locking.lock(file, from_threads=True)
        assert asked == [(file.fileno(), 2, 1)]


def test_a_system_without_locks_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Work goes on: one who is alone needs none."""
    monkeypatch.setattr(locking, "_posix", None)
    locking._warn.cache_clear()
    with caplog.at_level(logging.WARNING), (tmp_path / "lock").open("wb") as file:
        for _ in range(3):
            locking.lock(file, from_threads=False)
    assert caplog.messages == [
        "this system locks no files: let one process at a time write into a folder of results"
    ]
