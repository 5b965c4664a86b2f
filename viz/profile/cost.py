"""Cost of a request in bytes of memory, estimated before it runs.

The estimate was measured on large layers, at four bytes a value: a layer's output exists twice while it is
captured, and seven times more while it is drawn (statistics in double precision, the order of values,
colours). The memory that the model itself needs for a pass is not included.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path

from ..layer_names import is_operation
from .rows import LayerRow

CAPTURED, DRAWN = 2, 7  # times the bytes of a layer's output
GRAPH = 3  # times the bytes of all outputs: what a backward pass needs, and the copies that are captured
LOADED = 2  # times the bytes of a model's weights: as they were made, and as they were read
BYTES = 4  # of a number in single precision
MEGABYTE = 1_000_000
ASK, REFUSE, VALUES = "LAYERGLASS_ASK_MB", "LAYERGLASS_REFUSE_MB", "LAYERGLASS_VALUES_MB"
ASK_SHARE, REFUSE_SHARE = 1 / 4, 3 / 4  # of the free memory, if the environment says nothing
VALUES_SHARE = 1 / 4  # a class's layers take more than a gibibyte
UNKNOWN = 4 << 30  # bytes assumed to be free if the system does not tell
_MEMINFO = Path("/proc/meminfo")
_CONTAINER = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Budget:
    """Memory limits of one request, in bytes.

    Attributes:
        ask: beyond this a visitor is asked first.
        refuse: beyond this the request is refused.
    """

    ask: int
    refuse: int


def budget(environment: Mapping[str, str] = os.environ, free: int | None = None) -> Budget:
    """Return the limits ``LAYERGLASS_ASK_MB`` and ``LAYERGLASS_REFUSE_MB``, in bytes.

    By default they are 1/4 and 3/4 of the free memory.

    Args:
        environment: settings by name; those that are not whole numbers are ignored.
        free: bytes of memory; by default those that are free now.
    """
    free = free_memory() if free is None else free
    refuse = _setting(environment, REFUSE, free * REFUSE_SHARE)
    return Budget(min(_setting(environment, ASK, free * ASK_SHARE), refuse), refuse)


def values_kept(least: int, environment: Mapping[str, str] = os.environ, free: int | None = None) -> int:
    """Return the limit ``LAYERGLASS_VALUES_MB`` of captured values, in bytes.

    By default it is 1/4 of the free memory.

    Args:
        least: bytes that they may fill in any case, unless the environment says something.
        environment: see ``budget``.
        free: see ``budget``.
    """
    free = free_memory() if free is None else free
    return _setting(environment, VALUES, max(least, free * VALUES_SHARE))


def output_bytes(row: LayerRow) -> int:
    """Return the bytes of a layer's outputs in one pass.

    Outputs without a known shape do not count.
    """
    return sum(_bytes(shape) for shape in row.shapes)


def layer_cost(row: LayerRow) -> int:
    """Return the bytes to capture a layer and draw its largest call."""
    return CAPTURED * output_bytes(row) + DRAWN * max(map(_bytes, row.shapes), default=0)


def pass_cost(rows: Iterable[LayerRow], at_once: int) -> int:
    """Return the bytes to capture every layer.

    One pass holds ``at_once`` bytes of outputs, or more if a single layer has more.
    """
    outputs = _outputs(rows)
    return CAPTURED * max(min(sum(outputs), at_once), max(outputs, default=0))


def graph_cost(rows: Iterable[LayerRow]) -> int:
    """Return the bytes of a forward and a backward pass.

    Every layer's output is kept.
    """
    return GRAPH * sum(_outputs(rows))


def model_cost(parameters: int) -> int:
    """Return the bytes to load a model with so many parameters."""
    return LOADED * BYTES * parameters


def megabytes(size: int) -> str:
    """Return bytes as whole megabytes: ``1,234``."""
    return f"{max(1, round(size / MEGABYTE)):,}"


def free_memory() -> int:
    """Return the bytes that are free, as far as is known.

    So many could be taken now without any process being killed.
    """
    known = known_memory()
    return min(_half_of_all(), _container()) if known is None else known


def known_memory() -> int | None:
    """Return the free memory that the system counts, in bytes.

    It is None where it counts none, as on macOS.
    """
    machine = _machine()
    return None if machine is None else min(machine, _container())


def _outputs(rows: Iterable[LayerRow]) -> list[int]:
    """Return the bytes of each layer's outputs.

    Operations are captured one by one, so they do not count.
    """
    return [output_bytes(row) for row in rows if not is_operation(row.name)]


def _bytes(shape: tuple[int, ...] | None) -> int:
    return 0 if shape is None else BYTES * prod(shape)


def _setting(environment: Mapping[str, str], name: str, otherwise: float) -> int:
    asked = environment.get(name, "")
    return MEGABYTE * int(asked) if asked.isascii() and asked.isdigit() else int(otherwise)


def _machine() -> int | None:
    """Return the memory that Linux calls available; None on other systems."""
    try:
        lines = dict(line.split(":", 1) for line in _MEMINFO.read_text("utf-8").splitlines())
        return 1024 * int(lines["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):
        return None


def _half_of_all() -> int:
    """Return half of the installed memory, a guess at what is free."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, OSError, ValueError):  # Windows has no such call
        return UNKNOWN


def _container() -> int:
    """Return the unused part of the container's memory limit.

    The page cache counts as free.
    """
    try:
        most, used = (int((_CONTAINER / name).read_text()) for name in ("memory.max", "memory.current"))
        lines = (line.split() for line in (_CONTAINER / "memory.stat").read_text().splitlines())
        cached = next((int(size) for name, size in lines if name == "inactive_file"), 0)
    except (OSError, ValueError):  # not in a container, or in one without a limit: "max"
        return 1 << 62
    return max(0, most - used + cached)
