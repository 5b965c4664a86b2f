"""Partial results of an ablation, and the size of the next batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..answers.edits import AblationChanges, AblationFacts
from .output_meaning import class_shares, output_meaning

MOST_ROWS = 64
CLASSES = 5  # for which the page shows what a channel does
SECONDS = 0.15  # that one batch may take: between two of them others go first, and a study can be stopped
Scores = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class AblationPart:
    """Ablation of some channels: ``scores`` (len(channels), classes), each row without its channel.

    ``passed`` counts the channels that needed a pass, of ``total`` in the layer; ``seconds`` is their time,
    and ``once`` that of a pass on one picture. ``meaning`` is that of the scores, if it is known.
    """

    channels: range
    scores: Scores
    baseline: Scores
    passed: int
    total: int
    seconds: float
    once: float = 0.0
    meaning: str = ""

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return self.scores.nbytes

    def changes(self, target: int) -> Scores:
        """Return the change of class ``target``'s score without each channel, (len(channels),)."""
        return np.asarray(self.scores[:, target] - self.baseline[target])


def next_size(part: AblationPart) -> int:
    """Return the next batch's size, so that it takes about ``SECONDS``.

    It grows until a batch takes that long, and shrinks beyond twice that.

    Part of a batch's time does not depend on its size, so sizes are doubled and halved instead of computed.
    If a single pass already takes that long, a batch may take half as long again.
    """
    enough = max(SECONDS, 1.5 * part.once)
    if part.seconds <= enough:
        return min(MOST_ROWS, 2 * max(1, part.passed))
    return max(1, part.passed // 2 if part.seconds > 2 * enough else part.passed)


def ablation_facts(part: AblationPart, classes: Sequence[str]) -> AblationFacts:
    """Return a part's facts for the browser: effects on the best classes."""
    meaning = part.meaning or output_meaning(part.baseline)
    best = np.argsort(-part.baseline, kind="stable")[:CLASSES]
    before = _shares(part.baseline, meaning)
    shares = np.stack([_shares(scores, meaning) for scores in part.scores])
    return AblationFacts(
        total=part.total,
        next=part.channels.stop,
        size=next_size(part),
        classes=tuple(classes[place] if place < len(classes) else str(place) for place in best),
        changes=AblationChanges(
            channel=tuple(part.channels),
            logits=_rows(part.scores[:, best] - part.baseline[best]),
            probabilities=_rows(shares[:, best] - before[best]),
        ),
    )


def _shares(scores: Scores, meaning: str) -> NDArray[np.float64]:
    """Each class's probability; a number that is no class's stands for itself."""
    found = class_shares(scores, meaning)
    return scores.astype(np.float64) if found is None else found


def _rows(table: Scores) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, table.astype(np.float64).round(6).tolist()))
