"""Tests under way when a run is ended from outside, as at a limit of time, and every stack."""

import faulthandler
import signal
import time
from types import FrameType

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from _pytest.terminal import TerminalReporter


def print_stacks_at_the_end(config: pytest.Config) -> None:
    """Let a worker print where each of its threads is, and end, when it gets ``SIGTERM``."""
    if hasattr(faulthandler, "register"):  # not on Windows
        faulthandler.register(signal.SIGTERM, file=config.stash[fault_handler_stderr_fd_key], chain=True)


class UnderWay:
    """Tests that had begun and not ended when ``SIGTERM`` came, in the process that prints the summary."""

    def __init__(self) -> None:
        self._begun: dict[str, float] = {}
        self._under_way: dict[str, float] = {}  # seconds, of each when the run was ended

    def pytest_sessionstart(self) -> None:
        """End the run as Ctrl+C would: with a summary."""
        signal.signal(signal.SIGTERM, self._end)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        self._under_way = {test: now - begun for test, begun in self._begun.items()}
        pytest.exit("ended from outside (SIGTERM)")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note when a test begins, on whichever worker."""
        self._begun[nodeid] = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Forget a test that has ended."""
        self._begun.pop(nodeid, None)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Forget a test whose worker crashed: xdist reports it from no phase, and goes on without it."""
        if report.when == "???":
            self._begun.pop(report.nodeid, None)

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Name what hung, or what a run at its limit had come to."""
        for test, seconds in self._under_way.items():
            terminalreporter.write_line(f"UNDER WAY for {seconds:.0f} s: {test}", red=True)
