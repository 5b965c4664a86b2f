"""Processes that begin afresh, on systems with and without a server of forks."""

import multiprocessing

import pytest

from viz.system.fresh import fresh_processes


@pytest.mark.parametrize(
    ("ways", "chosen"), [(["fork", "spawn", "forkserver"], "forkserver"), (["spawn"], "spawn")]
)
def test_they_begin_in_the_first_way_that_the_system_has(
    ways: list[str], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has ``spawn`` alone, and no list of modules to import ahead."""
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ways)
    context = fresh_processes(["json"])
    assert context.get_start_method() == chosen
