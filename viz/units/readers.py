"""Strongest readers of a unit, by weights and by change without it."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..answers.views.units import UnitName
from ..findings.values import LayerValues
from ..receptive.streams.found import Stream
from ..receptive.streams.weighted import input_axis
from .ranking import MOST, Candidate
from .sight import Doubles, Sight, channels_first, first_leaf, outputs, strength, strengths_of
from .weights import kernels_of, strengths

Seen = Mapping[str, LayerValues]


def readers_of(
    sight: Sight, before: Seen, after: Seen, readers: Sequence[Stream], channel: int
) -> list[Candidate]:
    """Return the strongest channels of layers that are given a unit.

    Args:
        sight: the passes.
        before: what the layers returned and were given.
        after: the same without the unit.
        readers: these layers.
        channel: the unit's.
    """
    found: list[Candidate] = []
    for reader in readers:
        there, gone = outputs(before[reader.layer], reader.call), outputs(after[reader.layer], reader.call)
        if there is not None and gone is not None and there.shape == gone.shape:
            found += _of_one(sight, before[reader.layer], reader, reader.places(channel), (there, gone))
    return found


def _of_one(
    sight: Sight, values: LayerValues, reader: Stream, places: tuple[int, ...], both: tuple[Doubles, Doubles]
) -> list[Candidate]:
    """Return the strongest channels of one reader.

    ``both``: its output with the unit, and without it.
    """
    change, unit = both[0] - both[1], strength(both[0]) or 1.0
    effects, lifts = strengths_of(change) / unit, change.mean(1) / unit
    pulls = _pulls(sight, values, reader, places)
    shares = None if pulls is None or len(pulls) != len(change) else pulls / unit
    chosen = {*np.argsort(-effects, kind="stable")[:MOST].tolist()}
    if shares is not None:
        chosen |= {*np.argsort(-shares, kind="stable")[:MOST].tolist()}
    return [
        Candidate(
            each,
            (UnitName(layer=reader.layer, call=reader.call, channel=each),),
            reader.steps,
            None if shares is None else float(shares[each]),
            float(effects[each]),
            float(lifts[each]),
            *_kernel(sight, reader, places, each),
        )
        for each in sorted(chosen)
    ]


def _pulls(sight: Sight, values: LayerValues, reader: Stream, places: tuple[int, ...]) -> Doubles | None:
    """Return each output's weight norm times the strength of the values."""
    module, given = sight.loaded.layers.module(reader.layer), first_leaf(values, reader.call, "inputs")
    norms = strengths(module, places) if places else None
    if norms is None or given is None:
        return None
    found: Doubles = norms.numpy() * strength(channels_first(given.array, input_axis(module))[list(places)])
    return found


def _kernel(
    sight: Sight, reader: Stream, places: tuple[int, ...], channel: int
) -> tuple[Doubles | None, float]:
    """Return one output's weights for these places, and its largest weight."""
    kernels = kernels_of(sight.loaded.layers.module(reader.layer), channel) if places else None
    own = [place - kernels.first for place in places] if kernels else []
    if kernels is None or not all(0 <= each < len(kernels.values) for each in own):
        return None, 0.0
    chosen: Doubles = kernels.values.numpy()[own]
    shown = chosen if len(own) > 1 or chosen.ndim == 1 else chosen[0]
    return shown, float(kernels.values.abs().max())
