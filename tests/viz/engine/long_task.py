"""A task in slices, in any process: each slice leaves a file behind."""

import time
from collections.abc import Generator, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.machine import patience
from viz.engine.task import Question

SECONDS = 0.05  # of a slice: longer than those that an engine does in a row


@dataclass(frozen=True)
class Long(Question[str]):
    """Takes so many slices; ``name`` tells tasks apart, and a slow machine's slices are longer."""

    folder: str
    slices: int
    name: str = "long"
    model: str = "counting"
    weights: str = "random"
    pause: float = field(default_factory=lambda: patience(SECONDS), compare=False)

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return (self.folder, self.name)

    def work(self, _: Any) -> Generator[None, None, str]:
        """Say of each slice that it has been done."""
        for number in range(self.slices):
            time.sleep(self.pause)
            Path(self.folder, f"{self.name} {number}").touch()
            yield
        return "whole"

    @property
    def done(self) -> int:
        """Number of slices that have been done."""
        return len(list(Path(self.folder).glob(f"{self.name} *")))

    def wait_for(self, slices: int) -> None:
        """Return once so many have been done."""
        until = time.monotonic() + patience(60)
        while self.done < slices:
            if time.monotonic() > until:
                raise TimeoutError(f"{self.done} slices")
            time.sleep(0.005)
