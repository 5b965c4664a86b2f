"""Memory limits of an engine, and the memory that an answer takes by its own account."""

from dataclasses import dataclass, replace
from typing import Any, Self

from ..errors import TooLargeError
from ..profile.cost import megabytes

SMALL, SMALL_PART = 8_000, 500  # bytes counted for an answer, and for a part, that do not say their size
STAGES = 0.4  # of captured values: thirty photos' stages have room where nine photos' values would
FRAME = 2_000  # bytes of an answer beyond those that it reports


@dataclass(frozen=True)
class Limits:
    """Bytes that an engine keeps; the least recently used goes first."""

    models: int = 4 << 30
    values: int = 1 << 30
    # The few outputs from which later passes go on: see ``viz.passes.resumed``.
    stages: int = 400 << 20
    views: int = 256 << 20
    # A pass that records every layer is worth it only if its values are a small share of the cache.
    whole_pass: int = 256 << 20
    # The most for one request while it is answered; more is refused.
    capture: int = 8 << 30

    def keeping(self, captured: int) -> Self:
        """The same, with so many bytes for captured values, of which stages get their part."""
        stages = int(captured * STAGES)
        return replace(self, values=captured - stages, stages=stages)


def check_cost(what: str, cost: int, limits: Limits) -> None:
    """Refuse a request that would take more memory than one may.

    Raises:
        TooLargeError: it would take more.
    """
    if cost > limits.capture:
        raise TooLargeError(
            "{layer} would take about {cost} MB of memory, more than the {most} MB that one "
            "request may take here; choose a smaller layer or model.",
            layer=what,
            cost=megabytes(cost),
            most=megabytes(limits.capture),
        )


def answer_bytes(answer: Any) -> int:
    """Approximate memory of an answer; large answers report theirs as ``bytes``."""
    if isinstance(answer, bytes):
        return len(answer)
    if isinstance(answer, tuple):
        return sum(int(getattr(part, "bytes", SMALL_PART)) for part in answer)
    return int(getattr(answer, "bytes", SMALL)) + FRAME
