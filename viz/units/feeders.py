"""Strongest feeders of a unit: parts of its sum, or measured effects."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from ..answers.views.units import UnitName
from ..findings.values import LayerValues
from ..receptive.streams.found import PICTURE, Key, Stream
from ..receptive.streams.weighted import input_axis
from .parts import add_up, parts_of
from .ranking import MOST, Candidate
from .sight import Doubles, Sight, channels_first, first_leaf, outputs, strength, strengths_of
from .weights import Kernels


@dataclass(frozen=True, eq=False)
class Group:
    """Input channels of a layer that are one channel of another.

    There are several behind a flattening.

    ``units``: whose channel it is, the layer that ran last first; several are added up.
    """

    places: tuple[int, ...]
    units: tuple[UnitName, ...]
    steps: tuple[str, ...]


def groups_of(into: Sequence[Stream], places: Sequence[int]) -> list[Group]:
    """Group these channels of a layer's input by their source."""
    found: dict[object, list[int]] = {}
    for place in places:
        first = next((each for each in into if each.channels[place] >= 0), None)
        found.setdefault((first.layer, first.call, first.channels[place]) if first else place, []).append(
            place
        )
    return [_group(into, tuple(there)) for there in found.values()]


def _group(into: Sequence[Stream], places: tuple[int, ...]) -> Group:
    streams = [each for each in into if each.channels[places[0]] >= 0]
    units = tuple(
        UnitName(layer=each.layer, call=each.call, channel=each.channels[places[0]]) for each in streams
    )
    return Group(places, units, streams[0].steps if streams else ())


def sum_parts(
    sight: Sight, values: LayerValues, kernels: Kernels, channel: int, *, check: bool
) -> Doubles | None:
    """Return each kernel's part of the channel, (inputs, places).

    None if the parts are unknown, or do not add up to the output.

    ``check`` is off where an edit has changed the output since.
    """
    call, module = sight.wanted.call, sight.loaded.layers.module(values.layer)
    given, returned = first_leaf(values, call, "inputs"), outputs(values, call)
    if given is None or returned is None:
        return None
    parts = parts_of(module, kernels, torch.from_numpy(given.array.copy()))
    if check and not add_up(parts, kernels.bias, torch.from_numpy(returned[channel])):
        return None
    found: Doubles = parts.numpy()
    return found


def weighed(
    sight: Sight, values: LayerValues, kernels: Kernels, parts: Doubles, into: Sequence[Stream]
) -> list[Candidate]:
    """The feeders of a sum whose parts are known."""
    call, module = sight.wanted.call, sight.loaded.layers.module(values.layer)
    given, returned = first_leaf(values, call, "inputs"), outputs(values, call)
    if given is None or returned is None:
        return []
    inputs, unit = channels_first(given.array, input_axis(module)), strength(returned) or 1.0
    weights, first = kernels.values.numpy(), kernels.first
    limit = float(np.abs(weights).max(initial=0.0))
    candidates = []
    for group in groups_of(into, range(first, first + len(weights))):
        places = list(group.places)
        own = [place - first for place in places]
        kernel, part = weights[own], parts[own].sum(0)
        pull = float(np.linalg.norm(kernel)) * strength(inputs[places])
        lifts = float(part.mean()) / unit
        alone = len(own) == 1 and (inputs.shape[1] > 1 or not group.units)
        shown = kernel if len(own) > 1 or kernel.ndim == 1 else kernel[0]
        candidates.append(
            Candidate(
                places[0],
                group.units,
                group.steps,
                pull / unit,
                strength(part) / unit,
                lifts,
                shown,
                limit,
                given=alone,
            )
        )
    return candidates


def measured_inputs(
    sight: Sight, values: LayerValues, channel: int, into: Sequence[Stream]
) -> Iterator[Candidate]:
    """Yield a layer's strongest input channels, their effects measured one by one.

    Each is set to zero in a pass of its own.
    """
    call, module = sight.wanted.call, sight.loaded.layers.module(values.layer)
    given = first_leaf(values, call, "inputs")
    if given is None:
        return
    inputs = channels_first(given.array, input_axis(module))
    for place in np.argsort(-strengths_of(inputs), kind="stable")[:MOST].tolist():
        (group,) = groups_of(into, [place])
        after = sight.without((values.layer, call), place, given=True)
        yield _measured(
            after, values, channel, Candidate(place, group.units, group.steps, None, 0.0, 0.0, given=True)
        )


def measured_units(
    sight: Sight, values: LayerValues, channel: int, into: Sequence[Stream]
) -> Iterator[Candidate]:
    """Yield the units that a layer passes on, measured one by one.

    Each is set to zero in a pass of its own.
    """
    there: Mapping[Key, Stream] = {(each.layer, each.call): each for each in into}
    for key, stream in list(there.items())[:MOST]:
        source = stream.channels[channel]
        if source < 0 or key == PICTURE:
            continue
        unit = UnitName(layer=key[0], call=key[1], channel=source)
        found = Candidate(source, (unit,), stream.steps, None, 0.0, 0.0)
        yield _measured(sight.without(key, source), values, channel, found)


def _measured(sight: Sight, values: LayerValues, channel: int, found: Candidate) -> Candidate:
    call = sight.wanted.call
    before, after = (
        outputs(values, call),
        outputs(sight.see([values.layer], (values.layer, call))[values.layer], call),
    )
    if before is None or after is None or before.shape != after.shape:
        return found
    change, unit = before[channel] - after[channel], strength(before) or 1.0
    return replace(found, effect=strength(change) / unit, lifts=float(change.mean()) / unit)
