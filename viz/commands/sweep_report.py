"""A sweep's bounds, and its report, which it resumes from."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..errors import RequestError
from .files import write_whole


@dataclass(frozen=True)
class Bounds:
    """Limits of one model: memory in gigabytes, time in seconds."""

    memory: float = 8.0
    seconds: float = 900.0


@dataclass(frozen=True)
class Row:
    """Outcome of one model.

    Attributes:
        model: its id.
        layers: how many it has; 0 where it could not even be loaded.
        drawn: how many ran, were captured and drawn.
        explained: how many had no output, or none that can be drawn, and how this is known.
        failed: the others, at least 1 where ``failures`` names any.
        seconds: from before it was loaded until its last layer was drawn.
        peak_mb: the most memory that its process took, in MiB.
        failures: (layer, message) for each that failed; the layer is empty if the model itself failed.
        evidence: how many layers each kind of evidence explains: see ``LayerOutcomes``. It is empty in rows
            from before evidence was asked for.
        exact, inexact, tensors, places, modes, faults: see ``Soundness``. They are None or empty where they
            were not asked for, as in rows from before these checks.
    """

    model: str
    layers: int
    drawn: int
    explained: int
    failed: int
    seconds: float
    peak_mb: float
    failures: tuple[tuple[str, str], ...] = ()
    evidence: Mapping[str, int] = field(default_factory=dict)
    exact: int | None = None
    inexact: int | None = None
    tensors: int | None = None
    places: Mapping[str, int] = field(default_factory=dict)
    modes: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[tuple[str, str], ...] = ()

    @property
    def sound(self) -> bool:
        """True if nothing failed, and no check found a fault."""
        return not self.failed and not self.faults

    def __str__(self) -> str:
        found = f"{self.model}: {_counts(self)}, {self.seconds:.1f} s, {self.peak_mb:,.0f} MB"
        below = (f"    {layer}: {message}" for layer, message in (*self.failures, *self.faults))
        return "\n".join([found, *below])

    def as_json(self) -> str:
        """The row as one line of JSON."""
        return json.dumps(asdict(self))


@dataclass
class _Sum:
    layers: int = 0
    drawn: int = 0
    explained: int = 0
    failed: int = 0


def summary(rows: Sequence[Row]) -> str:
    """Return the totals of all rows in one line."""
    total = _Sum(*(sum(getattr(row, name) for row in rows) for name in vars(_Sum())))
    unsound = sum(bool(row.faults) for row in rows)
    warned = f", and {unsound:,} with values, places or outputs that are wrong" if unsound else ""
    return f"{len(rows)} {'model' if len(rows) == 1 else 'models'}: {_counts(total)}{warned}"


def _counts(row: "Row | _Sum") -> str:
    return f"{row.layers:,} layers, {row.drawn:,} drawn, {row.explained:,} explained, {row.failed:,} failed"


def row_from_json(line: str) -> Row:
    """The row of a line.

    Raises:
        ValueError: the line is not such a row.
    """
    found: Any = json.loads(line)
    try:
        return Row(
            **{**found, "failures": _pairs(found["failures"]), "faults": _pairs(found.get("faults", []))}
        )
    except (TypeError, KeyError) as error:
        raise ValueError(f"no row of a sweep: {line[:80]}") from error


def _pairs(found: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((layer, message) for layer, message in found)


def read_report(path: Path) -> list[Row]:
    """The rows of a report; none if there is no file.

    A last line that was cut short is removed.

    Raises:
        RequestError: the file is something else, or cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError("cannot read the report {path}: {error}", path=path, error=error) from error
    if lines and not lines[-1].endswith("\n"):
        lines.pop()
        write_whole(path, "".join(lines).encode())
    try:
        return [row_from_json(line) for line in lines]
    except ValueError as error:
        raise RequestError(
            "{path} is no report of a sweep; name another file: {error}", path=path, error=error
        ) from error


def append_row(path: Path, row: Row) -> None:
    """Add a row at the end of a report.

    Raises:
        RequestError: the file cannot be written.
    """
    try:
        with path.open("a", encoding="utf-8") as report:
            report.write(f"{row.as_json()}\n")
    except OSError as error:
        raise RequestError(
            "cannot write the report {path}: {error}", path=path, error=error.strerror
        ) from error
