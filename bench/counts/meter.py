"""Counts of passes, hooks and calls, from Python's profiler."""

import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Self

import torch

ROOT = Path(__file__).parents[2]
HOUSE = tuple(f"{ROOT / name}/" for name in ("viz", "models"))
TORCH = f"{Path(torch.__file__).parent}/"
CALLS = "function calls"  # of our own
BACKWARD = {"backward", "grad"}  # in torch.autograd


class Meter:
    """Counts in the thread that enters it, and in threads begun inside.

    A *room* is a folder of the product; calls that follow one another in a room, in one thread, count once.

    Args:
        forward: the code of the model's own ``forward``: a call of it is a pass.
    """

    def __init__(self, forward: CodeType) -> None:
        self._forward = forward
        self._counts: dict[int, Counter[str]] = {}
        self._rooms: dict[int, str] = {}
        self._is_on = False

    def __enter__(self) -> Self:
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # which the typeshed of 3.11 does not know

    @contextmanager
    def counting(self) -> Iterator[Counter[str]]:
        """Count in this block; the counts are complete when it ends."""
        found = Counter[str]()
        self._counts, self._rooms = defaultdict(Counter), {}
        self._is_on = True
        try:
            yield found
        finally:
            self._is_on = False
            for counts in list(self._counts.values()):
                found.update(counts)

    def _see(self, frame: FrameType, event: str, argument: Any) -> None:
        del argument
        if event != "call" or not self._is_on:
            return
        thread, code = threading.get_ident(), frame.f_code
        room = _room(code.co_filename)
        if room is not None:
            self._counts[thread][CALLS] += 1
            if self._rooms.get(thread) != room:
                self._rooms[thread] = room
                self._counts[thread]["room changes"] += 1
        if code is self._forward:
            self._counts[thread]["passes"] += 1
        elif kind := _torchs(code.co_filename, code.co_name):
            self._counts[thread][kind] += 1


@cache
def _room(file: str) -> str | None:
    return str(Path(file).parent) if file.startswith(HOUSE) else None


@cache
def _torchs(file: str, function: str) -> str | None:
    """Return the name under which a torch function counts, if any."""
    if not file.startswith(TORCH):
        return None
    if function.startswith("register_") and function.endswith("hook"):
        return "hooks"
    return "backward passes" if function in BACKWARD and file.endswith("autograd/__init__.py") else None
