"""Models that cost their process, and those put aside for it."""

import time
from dataclasses import dataclass

from ...errors import CaptureError, VizError
from ..task import Place
from .patience import Patience


@dataclass
class _Strikes:
    times: int
    last: float


class Strikes:
    """Counts of the processes that each (model, weights) has cost.

    A model is put aside for a time only, because visitors differ. Somebody may ask on purpose for what takes
    too long; that must not take a model from all others for good.
    """

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._of: dict[Place, _Strikes] = {}
        self._reasons: dict[Place, VizError] = {}

    def put_aside(self, place: Place) -> VizError | None:
        """Return the error for tasks about a model put aside, or None."""
        self._forget(place)
        return self._reasons.get(place)

    @property
    def reasons(self) -> dict[str, str]:
        """The models that are put aside now, and why."""
        for place in list(self._of):
            self._forget(place)
        return {place[0]: str(reason) for place, reason in self._reasons.items()}

    def add(self, place: Place, error: VizError) -> None:
        """Count a process that a model cost; put it aside after several."""
        self._forget(place)
        strikes = self._of.setdefault(place, _Strikes(0, 0.0))
        strikes.times, strikes.last = strikes.times + 1, time.monotonic()
        if strikes.times >= self._patience.strikes:
            self._reasons[place] = CaptureError(
                "{model} has been put aside for {minutes} minutes, because it ended its process {times} "
                "times: {reason}",
                model=place[0],
                minutes=max(1, round(self._patience.aside / 60)),
                times=strikes.times,
                reason=error,
            )

    def _forget(self, place: Place) -> None:
        strikes = self._of.get(place)
        if strikes is not None and time.monotonic() - strikes.last > self._patience.aside:
            del self._of[place]
            self._reasons.pop(place, None)
