"""What the browser is told of a capture; computed where the page does not wait for it."""

import numpy as np

from ..answers.folders.lens import AlikeChannel, LensChannel, LensClass, LensFacts, LensLayer, LensLayerFacts
from .capture import Capture
from .channels import alike
from .labels import Labels
from .lens import LayerLens, layer_lens, lens

_DIGITS = 4


def lens_facts(capture: Capture, labels: Labels, pictures: int) -> LensFacts:
    """Return what is told of a whole model.

    Args:
        capture: the numbers of its layers, on all pictures or on some of them.
        labels: the class of each of these.
        pictures: how many there are in all.
    """
    found = lens(capture, labels)
    counts = labels.counts
    probes = [each.probe for each in found.layers if each.probe]
    named = found.class_order.tolist() if labels.enough else []
    return LensFacts(
        pictures=pictures,
        used=len(capture.pictures),
        classes=tuple(LensClass(name=labels.classes[each], pictures=int(counts[each])) for each in named),
        unlabelled=int((labels.numbers < 0).sum()),
        chance=probes[0].chance if probes else None,
        held_out=len(found.split.held_out) if found.split else 0,
        layers=tuple(map(_layer, found.layers)),
        similarity=()
        if found.similarity is None
        else tuple(tuple(_rounded(each) for each in row) for row in found.similarity),
    )


def layer_facts(capture: Capture, labels: Labels) -> LensLayerFacts:
    """Return what is told of the one call that a capture has."""
    found = layer_lens(capture, labels, 0, None)
    channels = found.call.channels
    group = {channel: number for number, each in enumerate(found.groups) for channel in each}
    order = found.classes.order if found.classes else np.arange(channels)
    score = found.classes.score if found.classes else np.empty((channels, 0))
    others = alike(capture.mean)
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
    return LensLayerFacts(classes=classes, channels=tuple(rows), groups=found.groups)


def _layer(found: LayerLens) -> LensLayer:
    probe = found.probe
    return LensLayer(
        layer=found.call.layer,
        call=found.call.call,
        channels=found.call.channels,
        dead=int(found.dead.sum()),
        spare=found.spare,
        accuracy=probe.accuracy if probe else None,
        low=probe.low if probe else None,
        high=probe.high if probe else None,
    )


def _rounded(value: float) -> float | None:
    return round(float(value), _DIGITS) if np.isfinite(value) else None
