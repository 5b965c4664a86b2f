"""A block of one map, taken apart number by number."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..answers.number import Keys, Reading, UnexplainedReading
from ..engine.slices import Sliced
from ..errors import RequestError
from ..findings.explanation import Explanation
from ..hooks.records import to_array
from ..maps.cells import numbers_of
from ..number.breakdown import is_edited
from ..number.breakdown_facts import json_number
from ..number.taken import LayerCall
from ..request.inspection import Inspection
from .block import MapBlock, around, fitted, is_drawn, one_row, side_for
from .cells import Cell, Cells, largest_channels
from .curves import curve
from .found import ReadingResult
from .keys import keys
from .tasks import ReadingTask
from .windows import Windows, has_window, reach

_QUERIES = 2  # along one side of a block of attention, of which each looks at all keys

Place = tuple[int, int]
Explained = Mapping[Place, tuple[Explanation, Keys | None]]


class _Map(NamedTuple):
    """One map of a value, as flat indices (height, width) into it."""

    numbers: NDArray[np.int64]
    shape: tuple[int, ...]

    @property
    def size(self) -> tuple[int, int]:
        height, width = self.numbers.shape
        return height, width

    def cell(self, place: Place) -> Cell:
        """Return the index of a place along every axis of the value."""
        return tuple(int(each) for each in np.unravel_index(int(self.numbers[place]), self.shape))


def read(taken: LayerCall, task: ReadingTask) -> Sliced[ReadingResult]:
    """Read a block around a place of a map, number by number.

    Raises:
        RequestError: there is no such map, or no such place.
    """
    drawn = _map(taken, task.wanted, task.channel)
    at = _checked(task.at, drawn.size) if task.at else _strongest(taken, drawn.numbers)
    first = taken.explained(drawn.cell(at), task.source)
    if not first.explained:
        return ReadingResult(UnexplainedReading(layer=taken.name, kind="", reason=first.reason))
    window = len(first.patch.values) if first.patch and has_window(first) else 0
    block = around(at, *drawn.size, _QUERIES if first.kind == "attention" else side_for(window))
    seen = first.patch.channel if first.patch else None
    source = seen if first.channels else None  # a pooling has no choice
    found: dict[Place, tuple[Explanation, Keys | None]] = {}
    for place in block.places:
        cell = drawn.cell(place)
        each = taken.explained(cell, source)
        found[place] = each, keys(taken, cell, each)
        yield
    if window and any(each.patch is None or each.patch.channel != seen for each, _ in found.values()):
        block = one_row(block, at[0])  # on a map of a signal each row is a channel of its own
    block = fitted(block, at, lambda less: reach([found[each][0] for each in less.places]))
    return ReadingResult(_facts(taken, task, drawn, block, found))


def _facts(taken: LayerCall, task: ReadingTask, drawn: _Map, block: MapBlock, found: Explained) -> Reading:
    middle = found[block.top + block.rows // 2, block.left + block.columns // 2][0]
    cells = Cells(taken, _windows(middle))
    numbers = tuple(cells.add(place, drawn.cell(place), *found[place]) for place in block.places)
    windows = cells.windows
    return Reading(
        layer=taken.name,
        kind=middle.kind,
        formula=middle.formula,
        precision=middle.precision,
        edited=is_edited(task.wanted, taken.name),
        channel=task.channel,
        height=drawn.size[0],
        width=drawn.size[1],
        top=block.top,
        left=block.left,
        rows=block.rows,
        columns=block.columns,
        cells=numbers,
        region=windows.region if windows else None,
        kernels=tuple(tuple(map(json_number, kernel)) for kernel in windows.kernels) if windows else (),
        inputs=len(middle.channels),
        channels=largest_channels(middle),
        curve=curve(taken, drawn.numbers, numbers[0].index) if middle.kind == "activation" else None,
        spreads=tuple(cells.spreads),
    )


def _windows(found: Explanation) -> Windows | None:
    """Return a collector for the windows, if they can be drawn."""
    patch = found.patch
    return Windows(patch.channel) if patch and has_window(found) and is_drawn(len(patch.values)) else None


def _map(taken: LayerCall, wanted: Inspection, channel: int) -> _Map:
    """Return the map of a channel.

    Raises:
        RequestError: there is no such map.
    """
    shape = tuple(taken.value.shape)
    maps = numbers_of(
        shape,
        kind=wanted.kind,
        row=wanted.row,
        index=wanted.index,
        layer_type=taken.type,
        image_size=taken.image_size,
        arrangement=taken.arrangement,
    )
    if channel >= len(maps):
        raise RequestError(
            "there is no channel {channel}: there are {count}.", channel=channel, count=len(maps)
        )
    return _Map(maps[channel], shape)


def _checked(at: Place, shape: Sequence[int]) -> Place:
    if at[0] >= shape[0] or at[1] >= shape[1]:
        size = " × ".join(map(str, shape))
        raise RequestError("there is no place {place}: the maps are {size}.", place=at, size=size)
    return at


def _strongest(taken: LayerCall, numbers: NDArray[np.int64]) -> Place:
    """Return where the number with the largest absolute value is."""
    values = to_array(taken.value).ravel()[numbers]
    size = np.abs(values).astype(np.float64) if values.dtype != bool else values
    row, column = np.unravel_index(np.argmax(np.nan_to_num(size)), numbers.shape)
    return int(row), int(column)
