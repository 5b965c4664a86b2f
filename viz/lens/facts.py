"""Facts of a capture for the browser, computed apart from the page."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..answers.folders.lens import (
    AlikeChannel,
    LensAgainstFacts,
    LensCall,
    LensChannel,
    LensLayer,
    LensLayerFacts,
    LensSample,
)
from .capture import Capture, Numbers
from .chance import chance_cka, dead_share, pairs_of, pictures_needed
from .channels import alike, chance_correlation
from .classes import Table
from .labels import Labels
from .lens import LayerLens, class_order, layer_lens, similarity, similarity_within, split_of
from .probe import Split
from .same import first_of_each, same_pictures
from .similarity import Matrix
from .told import LayerFindings, OverallFindings

_DIGITS = 4
_CKA_DIGITS = 6


def grouped(signature: Numbers, labels: Labels) -> tuple[NDArray[np.int64], Split | None]:
    """Return the groups of nearly equal pictures, and the probes' split.

    The signature is that of a capture.
    """
    alike = same_pictures(signature)
    return alike, split_of(labels, alike)


def layer_found(
    capture: Capture, labels: Labels, alike: NDArray[np.int64], by: Split | None
) -> LayerFindings:
    """Return the findings of a capture's one call.

    ``alike`` are the groups of equal and nearly equal pictures. Without a split there is no probe.
    """
    found = layer_lens(capture, labels, 0, alike, by)
    chance = found.probe.chance if found.probe else None
    held_out = len(np.unique(by.groups)) if by else 0
    return LayerFindings(_layer(found), chance, held_out, found.classes.score if found.classes else None)


def whole_found(capture: Capture, labels: Labels, scores: Sequence[Table]) -> OverallFindings:
    """Return the findings of all calls together, given their scores."""
    same, compared = similarity_within(capture)
    order = tuple(class_order(scores, len(labels.classes)).tolist())
    if same is None:
        return OverallFindings(order, (), None)
    return OverallFindings(order, _rows(same), _sample(compared, pairs_of(len(capture.calls))))


def against_facts(capture: Capture, other: Capture, pictures: int) -> LensAgainstFacts:
    """Return facts about the similarity of two models' layers.

    The other's layers are the columns.

    Args:
        capture: one model's numbers.
        other: the other's.
        pictures: how many both have looked through; the captures may have some of them.

    Raises:
        RequestError: they have fewer than four pictures in common on which all layers ran.
    """
    matrix, compared = similarity(capture, other)
    return LensAgainstFacts(
        pictures=pictures,
        used=len(capture.pictures),
        layers=tuple(LensCall(layer=each.layer, call=each.call) for each in other.calls),
        similarity=_rows(matrix),
        sample=_sample(compared, pairs_of(*matrix.shape)),
    )


def layer_facts(capture: Capture, labels: Labels, signature: Numbers) -> LensLayerFacts:
    """Return the facts about the one call that a capture has.

    ``signature`` is that of all calls on the same pictures: a layer of one channel cannot tell them apart.
    """
    same = same_pictures(signature)
    found, different = layer_lens(capture, labels, 0, same, None), capture.mean[first_of_each(same)]
    channels, groups = found.call.channels, found.groups or ()
    group = {channel: number for number, each in enumerate(groups) for channel in each}
    order = found.classes.order if found.classes else np.arange(channels)
    score = found.classes.score if found.classes else np.empty((channels, 0))
    others = alike(different)
    rows = [
        LensChannel(
            channel=int(channel),
            scores=tuple(_rounded(each) for each in score[channel]),
            dead=bool(found.dead[channel]),
            group=group.get(int(channel)),
            alike=tuple(
                AlikeChannel(channel=each, correlation=round(value, _DIGITS))
                for each, value in others[channel]
            ),
        )
        for channel in order
    ]
    classes = labels.classes if labels.enough else ()
    return LensLayerFacts(
        classes=classes,
        channels=tuple(rows),
        groups=groups,
        class_chance=tuple(round(float(each), _DIGITS) for each in found.classes.chance)
        if found.classes
        else (),
        used=len(capture.pictures),
        dead_share=round(dead_share(len(capture.pictures)), _DIGITS),
        pictures=found.pictures,
        chance=round(chance_correlation(different), _DIGITS),
        too_few=found.groups is None,
    )


def _layer(found: LayerLens) -> LensLayer:
    probe = found.probe
    return LensLayer(
        layer=found.call.layer,
        call=found.call.call,
        channels=found.call.channels,
        dead=int(found.dead.sum()),
        pictures=found.pictures,
        spare=found.spare,
        accuracy=probe.accuracy if probe else None,
        low=probe.low if probe else None,
        high=probe.high if probe else None,
    )


def _sample(pictures: int, pairs: int) -> LensSample:
    chance = round(chance_cka(pictures, pairs), _DIGITS)
    return LensSample(pictures=pictures, chance=chance, needed=pictures_needed(pairs))


def _rows(matrix: Matrix) -> tuple[tuple[float | None, ...], ...]:
    return tuple(tuple(_rounded(each, _CKA_DIGITS) for each in row) for row in matrix)


def _rounded(value: float, digits: int = _DIGITS) -> float | None:
    return round(float(value), digits) if np.isfinite(value) else None
