"""Facts of a unit for the browser."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from torch import nn

from ..answers.layer import KernelSizes
from ..answers.views.units import FollowingNorm, Neighbour, Neighbours, UnitFacts, UnitWeights
from ..findings.values import LayerValues
from ..maps.colour.tables import weights_colormap
from ..maps.mosaic import render_mosaic
from ..number.filters import depth_of
from ..receptive.streams.found import Stream, Streams
from .before import ChannelSources
from .feeders import groups_of
from .ranking import Candidate, as_map, best, rounded, text_of, told
from .sight import outputs, strength

_MOST_KERNELS = 144

Seen = Mapping[str, LayerValues]


@dataclass(frozen=True, eq=False)
class UnitParts:
    """Findings about a unit.

    Attributes:
        before: the unit, with its sources.
        feeders: the channels before it.
        more: outputs of the feeders' layers, where these are drawn.
        flow: the streams of channels; None if the model cannot be followed.
        readers: the layers behind it.
        reading: their channels.
        seen: their outputs.
    """

    before: ChannelSources
    feeders: Sequence[Candidate]
    more: Seen
    flow: Streams | None
    readers: Sequence[Stream]
    reading: Sequence[Candidate]
    seen: Seen


def sources(feeders: Sequence[Candidate]) -> list[str]:
    """The layers whose own maps are drawn for feeders."""
    shown = (each.units[0].layer for each in best(feeders) if each.units and not each.given)
    return [layer for layer in dict.fromkeys(shown) if layer]


def facts(found: UnitParts) -> UnitFacts:
    """The answer for the browser."""
    before, values, channel = found.before, found.before.values, found.before.channel
    call = before.sight.wanted.call
    there = outputs(values, call)
    maps = np.zeros((1, 0)) if there is None else there
    return UnitFacts(
        layer=values.layer,
        type=values.type,
        call=call,
        channel=channel,
        channels=len(maps),
        strength=rounded(strength(maps[channel])),
        typical=rounded(strength(maps)),
        weights=_weights(before),
        folded=_folded(before, found.readers if found.flow else ()),
        before=_feeding(found),
        after=_reading(found),
    )


def _feeding(found: UnitParts) -> Neighbours:
    layers = dict.fromkeys(each.layer for each in found.before.into)
    colormap = found.before.sight.wanted.colormap
    units = tuple(told(each, _feeder_png(found, each), colormap) for each in best(found.feeders))
    return Neighbours(told=found.before.told, units=units, total=len(found.feeders), layers=tuple(layers))


def _feeder_png(found: UnitParts, each: Candidate) -> bytes:
    sight, values = found.before.sight, found.before.values
    if each.given:
        return sight.thumb(values, sight.wanted.call, each.place, "inputs")
    if not each.units or each.units[0].layer not in found.more:
        return b""
    unit = each.units[0]
    return _own_png(found, found.more[unit.layer], unit.call, unit.channel)


def _own_png(found: UnitParts, values: LayerValues, call: int, channel: int) -> bytes:
    there = outputs(values, call)
    return b"" if there is None else found.before.sight.thumb(values, call, channel, channels=len(there))


def _reading(found: UnitParts) -> Neighbours:
    units = tuple(_reader(found, each) for each in best(found.reading))
    counts = (outputs(found.seen[each.layer], each.call) for each in found.readers)
    if not found.readers:
        how = "nothing"
    elif found.flow is None:
        how = "unknown"
    else:
        how = "apart" if any(each.places(found.before.channel) for each in found.readers) else "mixed"
    return Neighbours(
        told=how,  # type: ignore[arg-type]  # one of its words
        units=units,
        total=sum(len(each) for each in counts if each is not None),
        layers=tuple(dict.fromkeys(each.layer for each in found.readers)),
    )


def _reader(found: UnitParts, each: Candidate) -> Neighbour:
    unit = each.units[0]
    png = _own_png(found, found.seen[unit.layer], unit.call, unit.channel)
    return told(each, png, found.before.sight.wanted.colormap)


def _weights(before: ChannelSources) -> UnitWeights | None:
    kernels = before.kernels
    if kernels is None:
        return None
    values, first = kernels.values.numpy(), kernels.first
    groups = groups_of(before.into, range(first, first + len(values)))
    own = [values[[place - first for place in group.places]] for group in groups]
    order = sorted(range(len(own)), key=lambda at: -float(np.linalg.norm(own[at])))
    alike = [at for at in order if own[at].shape == own[order[0]].shape][:_MOST_KERNELS]
    maps = np.stack(
        [as_map(own[at] if values.ndim == 1 else own[at].reshape(-1, values.shape[-1])) for at in alike]
    )
    limit = float(np.abs(values).max(initial=0.0))
    mosaic = render_mosaic(
        maps, colormap=weights_colormap(before.sight.wanted.colormap), scale=(-limit, limit)
    )
    return UnitWeights(
        png=text_of(mosaic.png),
        width=mosaic.width,
        columns=mosaic.columns,
        kernels=KernelSizes(*maps.shape),
        depth=depth_of(values.shape[1:]),
        total=len(groups),
        places=tuple(groups[at].places[0] for at in alike),
        limit=rounded(limit),
        bias=None if kernels.bias is None else rounded(kernels.bias),
    )


def _folded(before: ChannelSources, readers: Sequence[Stream]) -> FollowingNorm | None:
    """Return the batch norm at the start of every reader's way.

    None if it does not use its learnt statistics, or if it is not clear which of its channels is meant.
    """
    firsts = {each.steps[0] if each.steps else "" for each in readers}
    if before.kernels is None or len(firsts) != 1 or before.sight.wanted.training is not None:
        return None
    (name,) = firsts
    norm = dict(before.sight.loaded.layers.model.named_modules()).get(name)
    if not isinstance(norm, nn.modules.batchnorm._BatchNorm) or norm.running_var is None:  # noqa: SLF001  (the class of all of them)
        return None
    places = {_place(before, each, norm.num_features) for each in readers}
    return _of_norm(name, norm, places.pop()) if len(places) == 1 else None


def _place(before: ChannelSources, reader: Stream, features: int) -> int:
    """Return the channel's place among a norm's features; -1 if unclear.

    Channels that are put together before a norm stand elsewhere behind it.
    """
    there = outputs(before.values, before.sight.wanted.call)
    if there is not None and len(there) == features:
        return before.channel
    places = reader.places(before.channel)
    return places[0] if len(places) == 1 and len(reader.channels) == features else -1


def _of_norm(name: str, norm: "nn.modules.batchnorm._BatchNorm", channel: int) -> FollowingNorm | None:
    if norm.running_mean is None or norm.running_var is None or channel < 0:
        return None
    gain = 1.0 if norm.weight is None else float(norm.weight[channel].detach())
    added = 0.0 if norm.bias is None else float(norm.bias[channel].detach())
    scale = gain / float((norm.running_var[channel] + norm.eps).sqrt())
    shift = added - scale * float(norm.running_mean[channel])
    return FollowingNorm(layer=name, scale=rounded(scale), shift=rounded(shift))
