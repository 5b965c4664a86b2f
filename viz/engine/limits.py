"""How much memory an engine keeps and spends, and about how much its answers take."""

from dataclasses import dataclass
from typing import Any

from viz.errors import TooLargeError
from viz.number.closeup import CloseUp
from viz.number.receptive import Fields
from viz.number.taken_apart import FilterView
from viz.passes.ablation import AblationPart
from viz.profile.cost import megabytes
from viz.request.inspection import LayerView
from viz.views.compare import PairView
from viz.views.memory_pictures import MemoryPictures
from viz.views.overview import Thumbnail

NUMBER = 36  # bytes of a Python number and of its place in a tuple
NUMBERS_PER_CHANNEL = 8  # five statistics, the two ends of its colours, and its place


@dataclass(frozen=True)
class Limits:
    """How much an engine keeps, in bytes; the least recently used goes first."""

    models: int = 4 << 30
    values: int = 1 << 30
    views: int = 256 << 20
    # A pass that records every layer is worth it only while all of it is a small share of the cache.
    whole_pass: int = 256 << 20
    # What one request may take while it is answered; more is refused.
    capture: int = 8 << 30


def check_cost(what: str, cost: int, limits: Limits) -> None:
    """Refuse what would take more memory than one request may.

    Raises:
        TooLargeError: it would.
    """
    if cost > limits.capture:
        raise TooLargeError(
            f"{what} would take about {megabytes(cost)} MB of memory, more than the "
            f"{megabytes(limits.capture)} MB that one request may take here; choose a smaller layer or model."
        )


def answer_bytes(answer: Any) -> int:
    """About how much memory an answer takes."""
    if isinstance(answer, LayerView):
        return _view_bytes(answer)
    if isinstance(answer, PairView):
        return sum(map(_view_bytes, answer.views), 2000)
    if isinstance(answer, tuple):
        return sum(_part_bytes(part) for part in answer)
    if isinstance(answer, Fields | CloseUp | FilterView | MemoryPictures):
        return answer.bytes + 2000
    if isinstance(answer, AblationPart):
        return answer.scores.nbytes + 500
    return len(answer) if isinstance(answer, bytes) else 10_000


def _view_bytes(view: LayerView) -> int:
    return len(view.png) + 4000 + NUMBER * NUMBERS_PER_CHANNEL * view.geometry.channels


def _part_bytes(part: Any) -> int:
    """Parts that are large say so themselves."""
    return part.map.nbytes + 500 if isinstance(part, Thumbnail) else int(getattr(part, "bytes", 500))
