"""Ctrl-C ends the real server without a word."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.browser.serving import alone, free_port, wait_until_served
from tests.machine import patience

ROOT = Path(__file__).parents[3]
# Whatever began the tests, such as a shell's job in the background, may ignore Ctrl-C: a terminal does not.
TERMINAL = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
STARTS = {"page": ["app.py", "--server.port"], "command": ["-m", "viz", "serve", "--port"]}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="its processes are sent no SIGINT")
@pytest.mark.parametrize(
    ("start", "engine", "seconds"),
    [("page", "process", 0), ("page", "local", 3), ("command", "process", 3), ("command", "local", 0)],
)
def test_ctrl_c_ends_the_server_with_status_0_and_no_word(
    start: str, engine: str, seconds: float, tmp_path: Path
) -> None:
    """While the first screen is being prepared, and after it."""
    port, log = free_port(), tmp_path / "log.txt"
    command = [sys.executable, "-c", TERMINAL, *STARTS[start], str(port)]
    environment = os.environ | alone(tmp_path) | {"LAYERGLASS_ENGINE": engine}
    with log.open("wb") as output:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            wait_until_served(f"http://localhost:{port}", server, log)
            time.sleep(seconds)
            said = log.read_text("utf-8")
            server.send_signal(signal.SIGINT)
            assert server.wait(patience(60)) == 0
        finally:
            server.kill()
    assert log.read_text("utf-8").removeprefix(said).strip() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="its processes are sent no SIGINT")
def test_ctrl_c_is_quiet_while_the_modules_come_in() -> None:
    """The first second of a start: the same end, without a traceback."""
    program = "import sys, time; from viz.system.interrupts import end_quietly; end_quietly(); "
    program += "print('begun', flush=True); time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", TERMINAL, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert (process.stdout.read(), process.wait(patience(30))) == ("", 0)
