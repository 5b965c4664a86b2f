"""Memory limits of an engine, and the memory of an answer."""

from dataclasses import dataclass
from typing import Any

from ..errors import TooLargeError
from ..profile.cost import megabytes

SMALL, SMALL_PART = 8_000, 500  # bytes counted for an answer, and for a part, that do not say their size
FRAME = 2_000  # bytes of an answer beyond those that it reports


@dataclass(frozen=True)
class Limits:
    """Bytes that an engine may keep, and that one request may take.

    What is cheapest to make again goes first (``viz.cache.Pool``).
    """

    models: int = 4 << 30
    # Captured values, the outputs from which later passes go on (``viz.passes.resumed``), and answers.
    kept: int = 3 << 29
    # A pass that records every layer is worth it only if its values are a small share of the cache.
    whole_pass: int = 256 << 20
    # The most for one request while it is answered; more is refused.
    capture: int = 8 << 30


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
