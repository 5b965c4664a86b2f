"""Checks of edit requests against a model's layers and their channels."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod

from ..errors import EditError, LayoutError, RequestError, UnknownLayerError
from ..layer_names import unknown
from ..maps.layout import best_kind
from ..maps.layout_guess import Size
from ..maps.layout_known import PLACED, known_kind
from ..profile.rows import LayerRow
from ..request.arrangement import Arrangement, Arrangements, first_known
from ..request.edit_request import EditRequest
from ..sentences import counted

# Counted from the end, so that they hold with and without a batch: the page's channels in each layout.
_CHANNEL_AXES = {"maps": -3, "attention": -3, "signals": -2, "volume": -4}


def check_edits(edits: Iterable[EditRequest], rows: Sequence[LayerRow]) -> None:
    """Check that the model can be edited like this.

    The check goes as far as the survey.

    Raises:
        EditError: a layer has no such channel.
        RequestError: a layer has no output, or does not run that often.
        UnknownLayerError: there is no such layer.
    """
    for edit in edits:
        row = next((row for row in rows if edit.layer in (row.name, *row.aliases)), None)
        if row is None:
            raise UnknownLayerError(unknown(edit.layer, tuple(row.name for row in rows)))
        _check_runs(edit, row)
        _check_channels(edit, row)


def channel_axis(
    shape: Sequence[int],
    layer_type: str,
    image_size: Size | None = None,
    arrangement: Arrangement | None = None,
) -> int:
    """Return a value's channel axis, counted from its end.

    Raises:
        EditError: it has no channels: the value is a single number, or has too many axes.
    """
    try:
        kind = best_kind(shape, layer_type, image_size, arrangement)
    except LayoutError as problem:
        raise EditError("this value cannot be edited by channels: {problem}", problem=problem) from problem
    if kind == "scalar":
        raise EditError("this layer returns a single number, which has no channels.")
    if kind == PLACED and arrangement:
        if len(arrangement.channels) != 1:
            raise EditError("this value keeps its channels in several axes: edit the layer in front of it.")
        return arrangement.channels[0] - len(shape)
    return _CHANNEL_AXES.get(kind, -1)


def batch_second(
    shape: Sequence[int],
    layer_type: str,
    image_size: Size | None = None,
    arrangement: Arrangement | None = None,
) -> bool:
    """Check whether a value's sequence axis comes before its batch axis.

    Recurrent layers may return such values.
    """
    return best_kind(shape, layer_type, image_size, arrangement) == "sequence-first"


def with_channels(
    rows: Iterable[LayerRow], known: Arrangements, image_size: Size | None
) -> tuple[LayerRow, ...]:
    """Return the rows with their numbers of channels, by known layouts."""

    def counts(row: LayerRow) -> Iterator[int | None]:
        for call, shape in enumerate(row.shapes):
            arrangement = first_known(known, row.name, call)
            yield None if shape is None else _channel_count(shape, row.type, image_size, arrangement)

    return tuple(replace(row, channels=tuple(counts(row))) for row in rows)


def _channel_count(
    shape: tuple[int, ...], layer_type: str, image_size: Size | None, arrangement: Arrangement | None
) -> int | None:
    if arrangement and known_kind(arrangement, shape, image_size) == PLACED:
        return prod(shape[axis] for axis in arrangement.channels)
    try:
        return shape[channel_axis(shape, layer_type, image_size, arrangement)]
    except EditError:
        return None


def known_of(edit: EditRequest, known: Arrangements) -> Arrangement | None:
    """Return the known layout of the tensor that an edit changes.

    It is that of the first tensor on the edit's side; None if it is unknown.
    """
    return first_known(known, edit.layer, edit.call or 0, "inputs" if edit.of_inputs else "output")


def _check_runs(edit: EditRequest, row: LayerRow) -> None:
    if not row.calls:
        raise RequestError(
            "{layer} has no output, so there is nothing to edit: {reason}", layer=row.name, reason=row.reason
        )
    if (edit.call or 0) >= row.calls:
        raise RequestError(
            counted(
                "{layer} runs once, so there is no call {call} to edit.",
                "{layer} runs {count} times, so there is no call {call} to edit.",
                count=row.calls,
                layer=row.name,
                call=(edit.call or 0) + 1,
            )
        )


def _check_channels(edit: EditRequest, row: LayerRow) -> None:
    call = edit.call or 0
    shape = row.shapes[call] if row.shapes else None
    if shape is None or edit.of_inputs:
        return  # the error comes when the layer runs
    count, last = row.channels[call] if row.channels else None, max(edit.channels, default=0)
    if count is None:
        count = shape[channel_axis(shape, row.type)]
    if last >= count:
        raise EditError(
            "there is no channel {channel}: {layer} has {count}, from 0 to {last}.",
            channel=last,
            layer=row.name,
            count=count,
            last=count - 1,
        )
