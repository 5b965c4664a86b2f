"""Facts about the machine, compared with what other functions of the system say."""

import os
import sys
from pathlib import Path

import pytest
import torch

from viz.commands.machine.hardware import (
    disk,
    engine,
    folder,
    memory,
    processor,
    results_folder,
    weights_folder,
)
from viz.profile.cost import free_memory
from viz.ui.folders.opened import kept_in


@pytest.mark.parametrize(("free", "grade"), [(1.9, "lacking"), (2.0, "good"), (64.0, "good")])
def test_little_memory_is_lacking(free: float, grade: str) -> None:
    """The page can still run, so it is not fatal; the number is said with one place."""
    found = memory(free)
    assert (found.grade, found.said) == (grade, f"{free} GB of memory are free")


@pytest.mark.skipif(sys.platform != "linux", reason="it is compared with Linux's own number")
def test_free_memory_is_what_the_system_says() -> None:
    """At most: a container may have less."""
    available = next(line for line in Path("/proc/meminfo").read_text().splitlines() if "Available" in line)
    assert 0 < float(memory().said.split()[0]) <= int(available.split()[1]) * 1024 / 1e9 * 1.2


def test_memory_that_nobody_counts_has_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS and Windows; what the page then reckons with is a guess, and no fact about the machine."""
    monkeypatch.setattr("viz.profile.cost._MEMINFO", tmp_path / "none")
    assert free_memory() > 0
    found = memory()
    assert (found.grade, found.said, found.advice) == ("good", "free memory is not known here", "")


def test_cores_are_those_of_this_process() -> None:
    """Not those of the whole machine, where a process is held to some."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert processor().said == ("one processor core" if cores == 1 else f"{cores} processor cores")


def test_the_engine_is_said() -> None:
    """In words, for whoever has never heard of engines."""
    assert engine("process").said != engine("local").said


def test_folders_are_those_that_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By PyTorch and by the page, whatever a user has set."""
    for settings in (
        {},
        {"XDG_CACHE_HOME": tmp_path},
        {"TORCH_HOME": tmp_path, "LAYERGLASS_FOLDERS": tmp_path},
    ):
        with monkeypatch.context() as patched:
            for name in ("XDG_CACHE_HOME", "TORCH_HOME", "LAYERGLASS_FOLDERS"):
                patched.delenv(name, raising=False)
            for name, value in settings.items():
                patched.setenv(name, str(value))
            kept_in.cache_clear()
            assert weights_folder() == Path(torch.hub.get_dir())
            assert results_folder() == kept_in()
    kept_in.cache_clear()


def test_a_folder_that_is_not_there_yet_is_looked_at_from_above(tmp_path: Path) -> None:
    """Nothing is made, and nothing is left behind."""
    assert folder("weights", tmp_path / "a" / "b", "TORCH_HOME").grade == "good"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_looked_at_is_looked_at_from_above(tmp_path: Path) -> None:
    """As below one that is another user's; a name that is too long is refused to root as well."""
    nowhere = tmp_path / ("a" * 300)
    assert folder("weights", nowhere, "TORCH_HOME").grade == "good"
    assert disk(nowhere, 1.0).grade == "lacking"
    assert disk(nowhere).name == "disk"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc takes no file, not even from root")
def test_a_folder_that_takes_no_file_has_the_name_of_its_setting() -> None:
    """The page runs without it, but downloads nothing."""
    found = folder("weights", Path("/proc/layerglass"), "TORCH_HOME")
    assert (found.grade, found.said) == ("lacking", "no file can be written in /proc")
    assert found.advice == "Set TORCH_HOME to a folder that you may write to."


def test_free_disk_is_that_of_the_folder(tmp_path: Path) -> None:
    """As the system counts it for whoever is not root."""
    assert disk(tmp_path, 1.0).grade == "lacking"
    if hasattr(os, "statvfs"):
        told = os.statvfs(tmp_path)
        found = disk(tmp_path / "not" / "there")
        assert float(found.said.split()[0]) == pytest.approx(told.f_bavail * told.f_frsize / 1e9, abs=1.0)
