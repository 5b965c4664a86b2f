"""Watchdogs are as patient as the machine is slow, and no more patient than that."""

import os
import time
from pathlib import Path

import pytest

from tests import machine
from tests.machine import LEAST, MOST, crowding, patience, took_less


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine as quick as the reference, with four cores and nothing to do; the file says what runs."""
    running = tmp_path / "loadavg"
    running.write_text("0.10 0.10 0.10 1/513 4242\n")
    monkeypatch.setattr(machine, "RUNNING", running)
    monkeypatch.setattr(machine, "SLOWNESS", 1.0)
    monkeypatch.setattr(machine, "_cores", lambda: 4)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.1, 0.1, 0.1))
    return running


@pytest.mark.usefixtures("quiet")
def test_on_a_quiet_machine_nothing_is_longer() -> None:
    """Also where fewer threads run than there are cores, as a second has no more than a second."""
    assert crowding() < LEAST
    assert patience(45) == 45


def test_twelve_threads_on_four_cores_take_three_times_as_long(
    quiet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that have just begun count at once, those of the last minute too."""
    quiet.write_text("0.10 0.10 0.10 12/513 4242\n")
    assert patience(10) == 30
    quiet.write_text("0.10 0.10 0.10 1/513 4242\n")
    monkeypatch.setattr(os, "getloadavg", lambda: (12.0, 0.1, 0.1))
    assert patience(10) == 30


def test_a_slow_processor_and_a_load_are_both_counted(quiet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half as quick, with two for each core; and never more than the most."""
    monkeypatch.setattr(machine, "SLOWNESS", 2.0)
    quiet.write_text("0.10 0.10 0.10 8/513 4242\n")
    assert patience(10) == 40
    quiet.write_text("0.10 0.10 0.10 800/513 4242\n")
    assert patience(10) == 10 * MOST


@pytest.mark.parametrize("said", ["", "0.10 0.10", "0.10 0.10 0.10 many 4242"])
def test_a_system_that_does_not_say_what_runs_is_no_error(
    quiet: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """Nor one that knows no load at all."""

    def fails() -> tuple[float, float, float]:
        raise OSError

    quiet.write_text(said)
    monkeypatch.setattr(os, "getloadavg", fails)
    assert patience(10) == 10
    quiet.unlink()
    assert patience(10) == 10


def test_work_is_compared_with_the_reference_only_if_it_seems_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a processor three times as slow as the reference, two seconds of a quiet one are six."""
    asked: list[object] = []
    monkeypatch.setattr(machine, "_measured", lambda clock: asked.append(clock) or 3.0)
    assert took_less(1.9, 2)
    assert asked == []
    assert took_less(5.9, 2)
    assert not took_less(6.1, 2)
    assert asked == [time.process_time] * 2


def test_the_measurement_itself_takes_next_to_nothing() -> None:
    """Some tens of times the reference, and what it finds is within its bounds."""
    begun = time.process_time()
    factor = machine._measured(time.process_time)
    assert took_less(time.process_time() - begun, 0.05)
    assert 0.1 < factor < 10 * MOST
    assert LEAST <= machine.SLOWNESS <= MOST
