"""Watch of a server during a crowd: its memory and hooks."""

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from bench.load.processor import processes_of
from tests.browser.serving import serving
from tests.hostile.attacks import proportional

SIGHT = Path(__file__).parent / "sight"
EVERY = 2.0  # seconds from one look at the memory to the next
ANSWERS_WITHIN = 20.0


@dataclass
class Watch:
    """Measurements of a server from outside.

    Attributes:
        memory: seconds on the loop's clock, and the bytes that all its processes held then: what several
            share counts once (PSS).
        modules: of nets, in all processes, once everybody has left; None if it was not looked for.
        hooks: on those.
    """

    folder: Path
    memory: list[tuple[float, int]] = field(default_factory=list)
    modules: int | None = None
    hooks: int | None = None

    async def watch(self, address: str) -> None:
        """Measure the memory until this is cancelled."""
        while True:
            self.memory.append((asyncio.get_running_loop().time(), await asyncio.to_thread(held, address)))
            await asyncio.sleep(EVERY)

    def count_hooks(self, address: str) -> None:
        """Ask every process of the server for the hooks that it holds."""
        self.count_hooks_of([process for process in processes_of(address) if catches(process)])

    def count_hooks_of(self, asked: Sequence[int]) -> None:
        """Ask these processes.

        Raises:
            TimeoutError: one of them does not say.
        """
        for process in asked:
            os.kill(process, signal.SIGUSR1)
        until = time.monotonic() + ANSWERS_WITHIN
        while missing := [each for each in asked if not (self.folder / str(each)).exists()]:
            if time.monotonic() > until:
                raise TimeoutError(f"processes {missing} did not say how many hooks they hold")
            time.sleep(0.05)
        said = [(self.folder / str(process)).read_text("ascii").split() for process in asked]
        self.modules, self.hooks = (sum(int(pair[part]) for pair in said) for part in (0, 1))


@contextmanager
def watched(further: Mapping[str, str] = MappingProxyType({})) -> Iterator[tuple[str, Watch]]:
    """Start a fresh server; yield its address and its watch.

    ``further`` are more environment variables.
    """
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "sight"
        folder.mkdir()
        settings = {"PYTHONPATH": str(SIGHT), "LAYERGLASS_SIGHT": str(folder)}
        with serving(Path(home), settings=settings | dict(further)) as address:
            yield address, Watch(folder)


def held(address: str) -> int:
    """The bytes that all processes of a server hold."""
    return sum(map(proportional, processes_of(address)))


def catches(process: int) -> bool:
    """Check whether a process has set up the signal.

    The signal would end any other process.
    """
    try:
        said = Path(f"/proc/{process}/status").read_text("ascii")
    except OSError:
        return False
    caught = next(line.split()[1] for line in said.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught, 16) >> (signal.SIGUSR1 - 1) & 1)
