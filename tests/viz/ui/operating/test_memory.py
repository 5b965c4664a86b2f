"""The page's memory is what the system says of this process."""

import mmap
import resource
from pathlib import Path

import numpy as np
import pytest

from viz.ui.operating import memory
from viz.ui.operating.memory import page_memory


def test_memory_that_is_taken_is_counted() -> None:
    """A hundred megabytes of ones, fresh from the system: an array may get memory that was used before."""
    before = page_memory()
    taken = np.frombuffer(mmap.mmap(-1, 100_000_000), np.uint8)
    taken.fill(1)
    assert 80_000_000 < page_memory() - before < 200_000_000
    assert taken.sum() == 100_000_000


def test_without_the_systems_file_it_is_the_most_there_ever_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on macOS; never less than what there is now."""
    now = page_memory()
    monkeypatch.setattr(memory, "_STATM", tmp_path / "nothing")
    assert now * 0.9 <= page_memory() <= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
