"""Models that cost too many processes are put aside."""

from collections import Counter

from ...errors import CaptureError, VizError


class Strikes:
    """How often each model has cost a process.

    Args:
        most: how often is too often.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._counted: Counter[str] = Counter()
        self._reasons: dict[str, VizError] = {}

    def check(self, model: str) -> None:
        """Refuse a model that has been put aside.

        Raises:
            CaptureError: it has been; the message says why.
        """
        if model in self._reasons:
            raise self._reasons[model]

    def count(self, model: str, error: VizError) -> None:
        """Count what a model did; put it aside once it is enough."""
        self._counted[model] += 1
        if self._counted[model] >= self._most:
            self._reasons[model] = CaptureError(
                "{model} has been put aside, because it ended its process {times} times: {reason}",
                model=model,
                times=self._counted[model],
                reason=str(error),
            )
