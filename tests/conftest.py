"""The run as a whole: which files begin, which tests are quick, and what a retry counts."""

import gc
import json
import logging
import os
import re
import socket
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

from tests.last_runs import record
from tests.machine import patience
from tests.under_way import UnderWay, print_stacks_at_the_end
from viz.engine.process import head_start
from viz.system.processes import usable_processors

# As in app.py: PyTorch's idle threads would spin, and take the processor from other workers.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# A page in this process begins none ahead: the engine of a later test would take it over, with old settings.
head_start._begun_once = True

# How long each function takes that takes a while; `make test-seconds` measures it.
SECONDS = Path(__file__).with_name("seconds.json")
RETRIES = Path(__file__).parents[1] / "out" / "retries.txt"  # why tests ran again
QUICK = 0.1  # seconds; what takes longer is listed there, and is not run by `make test-fast`
SLOW = ("browser", "slow", "models")  # marks of what is not quick, whatever it takes
SLOW_FILE = re.compile(rf"^pytestmark = .*\bmark\.(?:{'|'.join(SLOW)})\b", re.MULTILINE)
RETRIES_IN_A_THOUSAND = 2
LONGEST_REASON = 2000  # characters


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options that ``make`` uses."""
    group = parser.getgroup("layerglass")
    group.addoption("--quick", action="store_true", help="run only what was measured to be quick")
    group.addoption("--record", metavar="NAME", help="record under this name that the tests passed")
    group.addoption("--write-seconds", action="store_true", help=f"measure this run into {SECONDS.name}")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let a watchdog wait as long as this machine needs; count in the process that prints the summary."""
    if config.option.timeout is None:
        config.option.timeout = patience(float(config.getini("timeout")))
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Summary(config))
        config.pluginmanager.register(UnderWay())
        return
    print_stacks_at_the_end(config)
    if asks := getattr(getattr(config, "failures_db", None), "sock", None):
        # Before each test, a worker asks pytest-rerunfailures twice: the system would hold that for 40 ms.
        asks.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep each file on one worker, in the order that ``pytest_collection_modifyitems`` made."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than cores: half of a browser test is waiting."""
    return usable_processors() + 1


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file of which nothing is quick, if only what is quick will run."""
    is_test = config.option.quick and collection_path.suffix == ".py"
    return True if is_test and SLOW_FILE.search(collection_path.read_text(encoding="utf-8")) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among a million objects that stay: neither while they come in nor afterwards."""
    gc.disable()
    try:
        return (yield)
    finally:
        for name in list(logging.root.manager.loggerDict):
            if name.startswith("torch"):  # pytest goes to each that keeps its records, six times in each test
                logging.getLogger(name).propagate = True
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_unconfigure() -> None:
    """Let the interpreter's end find everything again: compiled libraries report what is left there."""
    gc.unfreeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the browser's files first, as a worker keeps one server, and the longest before others."""
    known = known_seconds()
    if config.option.quick:
        keep_quick(config, items, known)
    files: Counter[str] = Counter()
    if not config.pluginmanager.hasplugin("randomly"):
        for function, seconds in known.items():
            files[file_of(function)] += seconds
    items.sort(key=lambda item: (not item.get_closest_marker("browser"), -files[file_of(item.nodeid)]))


def keep_quick(config: pytest.Config, items: list[pytest.Item], known: dict[str, float]) -> None:
    """Deselect what needs a browser or was measured to take long."""
    slow = [
        item
        for item in items
        if function_of(item.nodeid) in known or any(item.get_closest_marker(name) for name in SLOW)
    ]
    config.hook.pytest_deselected(items=slow)
    left_out = set(slow)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    """Fail a test that leaves another folder or settings of ours to those that come after it.

    A model that it handed to the catalogue, as ``look`` does, is taken back: others list the models. So is
    the main module that Streamlit's ``AppTest`` leaves: processes begun later would run the whole app first.
    """
    before, held = (Path.cwd(), settings()), handed()
    with same_main_module():
        yield
    if left := handed() - held:
        import models
        from viz.ui.visit.catalogue import known

        for name in left:
            models.own.take_back(name)
        known.forget()
    assert (Path.cwd(), settings()) == before


@contextmanager
def same_main_module() -> Iterator[None]:
    """Put the main module back after a block."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


def handed() -> set[str]:
    """Names of models that are handed over in this process; asking imports nothing."""
    module = sys.modules.get("models.own.factory.handed")
    return set(module.HandedFamily().names()) if module else set()


def settings() -> dict[str, str]:
    """Our settings; libraries make some of theirs when they are imported."""
    return {name: value for name, value in os.environ.items() if name.startswith("LAYERGLASS_")}


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[dict[str, str]]:
    """The settings with which a server finds a cluster that all tests share: a process can be in one only."""
    from tests.viz.on_ray import cluster

    with cluster() as settings:
        yield settings


def known_seconds() -> dict[str, float]:
    """Return how long each function takes that takes a while."""
    known: dict[str, float] = json.loads(SECONDS.read_text(encoding="utf-8"))
    return known


def measured(known: Mapping[str, float], run: Mapping[str, float], *, whole: bool) -> str:
    """Return the text of the seconds after a run, which need not be of all tests.

    What did not run keeps its seconds, as long as its file is there, unless whole files ran and its own did.
    """
    ran = {file_of(name) for name in run} if whole else set()
    others = {name: value for name, value in known.items() if file_of(name) not in ran}
    stays = {name: value for name, value in others.items() if (SECONDS.parents[1] / file_of(name)).exists()}
    found = {name: round(value, 2) for name, value in (stays | dict(run)).items() if value > QUICK}
    return json.dumps(dict(sorted(found.items())), indent=0) + "\n"


def file_of(node: str) -> str:
    """Return the file of a test."""
    return node.partition("::")[0]


def function_of(node: str) -> str:
    """Return the file and name of a test, without the parameters of one case."""
    return node.partition("[")[0]


class Summary:
    """The seconds of each function, and a run that fails if it needed many retries."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._seconds: Counter[str] = Counter()
        self._cases: set[str] = set()
        self._begun = time.monotonic()
        self._retried: list[tuple[str, str]] = []  # the test, and why it failed at first

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up what each function takes, and note what has to run again."""
        self._seconds[function_of(report.nodeid)] += report.duration
        self._cases.add(report.nodeid)
        if report.outcome == "rerun":
            reason = getattr(getattr(report.longrepr, "reprcrash", None), "message", report.longreprtext)
            self._retried.append((report.nodeid, f"{report.when}: {reason}"))
            RETRIES.parent.mkdir(exist_ok=True)
            with RETRIES.open("a", encoding="utf-8") as file:  # also of a run that is given up
                file.write(f"{report.nodeid}\n{report.longreprtext}\n\n")

    @property
    def has_too_many_retries(self) -> bool:
        """Return whether more than two in a thousand tests failed at first."""
        return 1000 * len(self._retried) > RETRIES_IN_A_THOUSAND * len(self._cases)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run with too many retries, and write what is asked for."""
        if self.has_too_many_retries:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if (name := self._config.option.record) and session.exitstatus == pytest.ExitCode.OK:
            record(name, len(self._cases), time.monotonic() - self._begun)
        if self._config.option.write_seconds:
            whole = not self._config.option.quick
            SECONDS.write_text(measured(known_seconds(), self._seconds, whole=whole), encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Count the tests that had to run again; their failures stand above."""
        many = f"; more than {RETRIES_IN_A_THOUSAND} in a thousand fail the run" * self.has_too_many_retries
        terminalreporter.write_line(f"{len(self._retried)} retries{many}", red=bool(self._retried))
        for test, reason in self._retried:
            terminalreporter.write_line(f"RETRIED {test}\n{indent(reason[:LONGEST_REASON], '    ')}")
