"""A nursery that begins before the engine does."""

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.machine import patience
from viz.engine.engine_protocol import CHOICE

ROOT = Path(__file__).parents[4]
BEGUN = """
import sys
from viz.engine.process import head_start
head_start.begin()
"""


def said(code: str, settings: Mapping[str, str] | None = None) -> list[str]:
    """Return the words that a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", BEGUN + textwrap.dedent(code)],
        cwd=ROOT,
        env={**os.environ, CHOICE: "process", **(settings or {})},
        check=True,
        capture_output=True,
        text=True,
        timeout=patience(120),
    )
    return done.stdout.split()


def children(process: int) -> list[int]:
    """The numbers of a process's children."""
    found = Path(f"/proc/{process}/task/{process}/children")
    return [int(each) for each in found.read_text(encoding="ascii").split()]


def test_nothing_that_takes_time_is_imported_before_it() -> None:
    """Streamlit, numpy and PyTorch come in while the nursery begins."""
    assert said("print(*{'streamlit', 'numpy', 'torch', 'msgspec', 'PIL'} & set(sys.modules))") == []


def test_the_first_engine_takes_it_over() -> None:
    """One nursery in all: its hosts are that one's children, whoever begins again."""
    first, nursery, host = said(
        """
        from tests.viz.engine.process.test_head_start import children
        import os
        head_start.begin()
        first = children(os.getpid())
        from viz.engine.process.hosts import Hosts
        from viz.engine.limits import Limits
        hosts = Hosts("viz.ui.visit.loaders:loader_apart", "cpu", Limits(), [], [])
        host = hosts.make(60)
        print(*first, *children(os.getpid()), host.number if host.number in children(first[0]) else "")
        hosts.close()
        """
    )
    assert first == nursery
    assert int(host) > 0


@pytest.mark.parametrize("choice", ["local", "ray", "ray://head:10001"])
def test_other_engines_begin_none(choice: str) -> None:
    """They have no processes of ours."""
    code = "import os; from tests.viz.engine.process.test_head_start import children"
    assert said(f"{code}\nprint(*children(os.getpid()))", {CHOICE: choice}) == []


@pytest.mark.parametrize("command", [["app.py"], ["-m", "streamlit", "run", "app.py"]], ids=" ".join)
def test_a_server_with_an_engine_that_there_is_not_ends_in_one_line(command: list[str]) -> None:
    """It names the setting, and the engines that there are; no other engine takes its place."""
    port = ["--server.port", "0"]
    done = subprocess.run(
        [sys.executable, *command, *port],
        cwd=ROOT,
        env={**os.environ, CHOICE: "rya", "STREAMLIT_SERVER_HEADLESS": "true"},
        check=False,
        capture_output=True,
        text=True,
        timeout=patience(60),
    )
    expected = "LAYERGLASS_ENGINE: there is no engine 'rya': choose local, process, ray or ray://HOST:PORT\n"
    assert (done.returncode, done.stderr) == (1, expected)


def test_one_that_nobody_needs_ends_by_itself() -> None:
    """Such as that of a server whose port is taken."""
    code = "import os; from tests.viz.engine.process.test_head_start import children"
    (nursery,) = said(f"{code}\nprint(*children(os.getpid()))")
    until = time.monotonic() + patience(60)
    while Path(f"/proc/{nursery}").exists() and time.monotonic() < until:
        time.sleep(0.1)
    assert not Path(f"/proc/{nursery}").exists()
