"""Things left behind: processes, shared memory, temporary files, sockets, threads, hooks."""

import os
import re
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from torch import nn

from tests.hostile.attacks import children
from tests.machine import patience

CACHE = "torchinductor_"  # a folder of PyTorch's own for each user, which stays
PATIENCE = 5.0  # seconds in which everything has to be gone, on a quiet machine


def found(temporary: Path, process: int) -> set[str]:
    """Return a process's children, open files and sockets, shared memory, threads, and temporary files."""
    kept = {f"process {each}" for each in children(process) if alive(each)}
    files = [path for path in temporary.rglob("*") if CACHE not in str(path)]
    kept |= {f"file {path}" for path in [*files, *orphaned_memory()]}
    for link in Path(f"/proc/{process}/fd").iterdir():
        try:
            kept.add(f"open {link.readlink()}")
        except OSError:  # closed meanwhile
            continue
    if process == os.getpid():
        kept |= {f"thread {each.name}" for each in threading.enumerate()}
    return kept


@contextmanager
def nothing_left_behind(temporary: Path, process: int = 0) -> Iterator[None]:
    """Fail if there is more after the block than before it, once it had time to go.

    ``temporary`` is where the process, by default this one, makes its temporary files.
    """
    process = process or os.getpid()
    before = found(temporary, process)
    yield
    until = time.monotonic() + patience(PATIENCE)
    while (left := found(temporary, process) - before) and time.monotonic() < until:
        time.sleep(0.05)
    assert not left, sorted(left)


def hooks_of(net: nn.Module) -> int:
    """Return the number of hooks on a net and its layers."""
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    return sum(len(getattr(layer, kind)) for layer in net.modules() for kind in kinds)


def alive(process: int) -> bool:
    """Return whether a process runs; one that has ended may wait for its parent to say so."""
    try:
        told = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return False
    return told.rpartition(b")")[2].split()[0] != b"Z"


def orphaned_memory(of: Collection[int] = ()) -> list[Path]:
    """This user's shared memory that is named after a process which has ended; other programs leave some.

    With processes named, that of these alone.
    """
    ours = filter(is_ours, Path("/dev/shm").glob("*"))
    named = {path: re.search(r"[_-](\d+)[_-]", path.name) for path in ours}
    ended = {path: int(number[1]) for path, number in named.items() if number and not alive(int(number[1]))}
    return [path for path, process in ended.items() if not of or process in of]


def is_ours(path: Path) -> bool:
    """Return whether a file is there and this user's."""
    try:
        return path.stat().st_uid == os.geteuid()
    except OSError:  # deleted meanwhile, or of a user who shows it to nobody
        return False
