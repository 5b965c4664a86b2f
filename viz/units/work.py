"""An engine's work for the task of this room."""

from collections.abc import Hashable, Sequence
from dataclasses import replace

from torch import Tensor

from ..engine.limits import check_cost
from ..engine.slices import Sliced
from ..engine.task import Bench
from ..errors import RequestError, VizError
from ..findings.edit_checks import channel_axis
from ..findings.values import LayerValues
from ..hooks.values.structure import leaves
from ..passes.forward import input_size
from ..passes.loaded import LoadedModel
from ..pictures.photo import Photo
from ..profile.cost import layer_cost, output_bytes
from ..receptive.streams.following import streams
from ..receptive.streams.found import Key, Stream, Streams
from ..receptive.streams.weighted import is_weighted
from ..request.arrangement import first_known
from ..request.inspection import Inspection
from .before import ChannelSources
from .found import UnitResult
from .readers import readers_of
from .shown import UnitParts, facts, sources
from .sight import Sight, outputs
from .tasks import UnitTask

_NEXT = 3  # layers behind one that cannot be followed


def unit(task: UnitTask, bench: Bench) -> Sliced[UnitResult]:
    """Find a unit's feeders and readers.

    An effect that no sum gives takes a pass of its own.

    Raises:
        CallError: the layer has no such call.
        RequestError: the layer has no such channel.
        TooLargeError: the layers would take more memory than one request may.
        UnknownLayerError: there is no such layer.
    """
    loaded = bench.loaded(task.wanted.model, task.wanted.weights)
    name = loaded.layers.select(task.wanted.layer)[0]
    wanted = _plain(task.wanted, name)
    sight, key = Sight(loaded, wanted, task.photo), (name, wanted.call)
    flow = _flow(loaded, task.photo, wanted, bench)
    yield
    readers = _readers(loaded, key, flow)
    _check(loaded, key, readers, bench)
    seen = sight.see(dict.fromkeys((name, *(each.layer for each in readers))))
    _check_channel(seen[name], wanted.call, task.channel)
    yield
    after = sight.without(key, task.channel).see([each.layer for each in readers]) if readers else {}
    yield
    before = ChannelSources(sight, seen[name], task.channel, flow)
    feeders = before.at_once()
    if feeders is None:
        feeders = []
        for each in before.one_by_one():
            feeders.append(each)
            yield
    more = sight.see(unseen) if (unseen := sources(feeders)) else {}
    reading = readers_of(sight, seen, after, readers, task.channel)
    return UnitResult(facts(UnitParts(before, feeders, more, flow, readers, reading, seen)))


def _plain(wanted: Inspection, name: str) -> Inspection:
    """Return a plain request for the layer's output, with edits in force."""
    scale = "layer" if wanted.scale == "model" else wanted.scale
    return replace(
        wanted, layer=name, leaf="", kind="auto", row=0, index=0, columns=0, viewport=(0, 0), order="index",
        gradient=None, edits=wanted.forward.in_force, show="after", scale=scale,
    )  # fmt: skip


def _flow(loaded: LoadedModel, photo: Photo, wanted: Inspection, bench: Bench) -> Streams | None:
    """Return the streams into and out of the layer; None if unknown."""
    arguments, known = loaded.inputs.of(photo), loaded.known(photo)
    shapes: Hashable = tuple(tuple(tensor.shape) for tensor in leaves(arguments).values())
    size = input_size(arguments)

    def axis_of(layer: str, call: int, tensor: Tensor) -> int | None:
        try:
            kind = type(loaded.layers.module(layer)).__name__
            return channel_axis(tensor.shape, kind, size, first_known(known, layer, call))
        except VizError:
            return None

    def found() -> tuple[Streams | None]:
        try:
            return (streams(loaded.layers, arguments, (wanted.layer, wanted.call), axis_of),)
        except Exception:  # noqa: BLE001  # a model may raise anything when it is followed; then effects are left
            return (None,)

    key = ("streams", wanted.model, wanted.weights, wanted.layer, wanted.call, shapes)
    kept: tuple[Streams | None] = bench.remembered(key, found)
    return kept[0]


def _readers(loaded: LoadedModel, key: Key, flow: Streams | None) -> tuple[Stream, ...]:
    """Return the unit's readers; without a known flow, the next weighted layers."""
    if flow is not None:
        return flow.out
    row = loaded.row(key[0])
    end = row.ends[key[1]] if row and key[1] < len(row.ends) else 0
    later = sorted(
        (end_there, each.name, call) for each in loaded.rows for call, end_there in enumerate(each.ends)
    )
    names = set(loaded.layers.select(lambda _, module: is_weighted(module)))
    following = [(name, call) for there, name, call in later if there > end and name in names]
    return tuple(Stream(name, call, (), ()) for name, call in following[:_NEXT])


def _check(loaded: LoadedModel, key: Key, readers: Sequence[Stream], bench: Bench) -> None:
    rows = [loaded.row(each.layer) for each in readers]
    own = loaded.row(key[0])
    cost = sum(2 * output_bytes(row) for row in rows if row) + (layer_cost(own) if own else 0)
    check_cost(key[0], cost, bench.limits)


def _check_channel(values: LayerValues, call: int, channel: int) -> None:
    there = outputs(values, call)
    if there is None:
        raise RequestError(
            "{layer} returns no channels of real numbers, so it has no units.", layer=values.layer
        )
    if not 0 <= channel < len(there):
        raise RequestError(
            "there is no unit {channel}: {layer} has {count}, from 0 to {last}.",
            channel=channel,
            layer=values.layer,
            count=len(there),
            last=len(there) - 1,
        )
