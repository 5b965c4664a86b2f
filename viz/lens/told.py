"""Lens facts of a whole model for the browser, from its layers.

The page does this, so nothing here imports what probes and clusters need: that takes 100 MB and more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..answers.folders.lens import LensClass, LensFacts, LensLayer, LensSample
from .labels import Labels


@dataclass(frozen=True)
class LayerFindings:
    """Findings of one call.

    Attributes:
        told: the browser's facts of it.
        chance: what guessing comes to; None without a probe.
        held_out: how many different pictures the probe is judged by; 0 without one.
        scores: (channels, classes), as in ``Classes``; None without classes.
    """

    told: LensLayer
    chance: float | None
    held_out: int
    scores: NDArray[np.float64] | None


@dataclass(frozen=True)
class OverallFindings:
    """Findings of all calls together.

    Attributes:
        classes: an order in which alike ones stand together.
        similarity: (calls, calls) their CKA; empty of too few pictures.
        sample: what that is of; None if it is empty.
    """

    classes: tuple[int, ...]
    similarity: tuple[tuple[float | None, ...], ...]
    sample: LensSample | None


def lens_facts(
    labels: Labels, pictures: int, calls: int, layers: Sequence[LayerFindings], whole: OverallFindings | None
) -> LensFacts:
    """Return a model's lens facts, even while some layers are missing.

    Args:
        labels: the class of each picture that is looked at.
        pictures: how many there are in all.
        calls: how many calls there are to look at.
        layers: the findings of the first ones.
        whole: the findings of all of them together; None as long as there are none.
    """
    counts = labels.counts
    order = whole.classes if whole else range(len(counts))
    return LensFacts(
        pictures=pictures,
        used=len(labels.numbers),
        calls=calls,
        complete=whole is not None,
        classes=tuple(LensClass(name=labels.classes[each], pictures=int(counts[each])) for each in order)
        if labels.enough
        else (),
        unlabelled=int((labels.numbers < 0).sum()),
        chance=next((each.chance for each in layers if each.chance is not None), None),
        held_out=max((each.held_out for each in layers), default=0),
        layers=tuple(each.told for each in layers),
        similarity=whole.similarity if whole else (),
        sample=whole.sample if whole else None,
        others=(),
    )
