"""viz/engine/process/nursery.py: what it does while nobody waits; its hosts are tested with the engine's."""

import time
from pathlib import Path

import pytest

from tests.machine import patience
from tests.viz.engine.process.test_faults import Answering
from tests.viz.engine.process.test_process_engine import LOADER, MODULES, WAIT
from viz.engine.process import ProcessEngine

HERE = __name__.rpartition(".")[0]


def test_libraries_are_imported_once_the_hosts_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not while one of them works, although nobody orders another."""
    note = tmp_path / "noted"
    monkeypatch.setenv("NOTED", str(note))
    quick, later = [*MODULES, f"{HERE}.quick_nursery"], [f"{HERE}.noted"]
    engine = ProcessEngine(LOADER, device="cpu", modules=quick, later=later)
    assert not engine.do(Answering(noted_during_work, (note,)), visitor="ann").result(WAIT)
    until = time.monotonic() + patience(60)
    while not note.exists():
        assert time.monotonic() < until
        time.sleep(0.1)
    engine.close()


def noted_during_work(note: Path) -> bool:
    """Work for two seconds; true if the nursery has imported the module by then."""
    while time.process_time() < 2:
        pass
    return note.exists()
