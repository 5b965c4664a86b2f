"""A run that hangs and is ended shows at which test, and at which line of it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.machine import patience
from tests.under_way import UnderWay

ROOT = Path(__file__).parents[1]
HANGS = """
import time
from pathlib import Path

def test_passes():
    pass

def test_hangs():
    Path({begun!r}).touch()
    time.sleep(3600)  # here
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without a word")
@pytest.mark.parametrize("workers", ["0", "1"])
def test_an_ended_run_names_the_test_under_way(tmp_path: Path, workers: str) -> None:
    """With workers, each of them prints its stacks too; what had passed is still counted."""
    begun = tmp_path / "begun"
    file = tmp_path / "test_hanging.py"
    file.write_text(HANGS.format(begun=str(begun)))
    options = ["-c", "pyproject.toml", "-p", "tests.conftest", "-p", "no:randomly", "-n", workers]
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, str(file)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        until = time.monotonic() + patience(60)
        while not begun.exists() and time.monotonic() < until and run.poll() is None:
            time.sleep(0.1)
        os.killpg(run.pid, signal.SIGTERM)  # as ``timeout`` does: the whole group at once
        printed, _ = run.communicate(timeout=patience(60))
    finally:
        run.kill()
    assert run.returncode == pytest.ExitCode.INTERRUPTED, printed
    assert "::test_hangs\n" in printed.partition("UNDER WAY for")[2], printed
    assert "1 passed" in printed
    if workers != "0":
        line = HANGS.splitlines().index("    time.sleep(3600)  # here") + 1
        assert f'test_hanging.py", line {line} in test_hangs' in printed


def test_a_test_whose_worker_crashed_is_not_under_way() -> None:
    """The run goes on with another worker, perhaps for an hour."""
    seen, place = UnderWay(), ("a", None, "a")
    crashed = pytest.TestReport("a", place, {}, "failed", "crashed", "???")  # type: ignore[arg-type]
    for test in ("a", "b"):
        seen.pytest_runtest_logstart(test)
    seen.pytest_runtest_logreport(crashed)
    with pytest.raises(pytest.exit.Exception):
        seen._end(signal.SIGTERM, None)
    assert list(seen._under_way) == ["b"]
