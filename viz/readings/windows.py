"""Windows of a block: their places on the input and their weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..answers.message import Exact
from ..answers.number import ReadWindow, Region
from ..findings.explanation import Explanation, Patch
from ..number.breakdown_facts import json_number

Place = tuple[int, int]
_AXES = 2  # of a picture


def has_window(found: Explanation) -> bool:
    """Check whether a number has a window of one or two axes."""
    return found.patch is not None and 0 < len(found.patch.axes) <= _AXES


def lines(patch: Patch) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a window's rows and columns; a signal has one row."""
    return ((0,), patch.axes[0]) if len(patch.axes) == 1 else (patch.axes[0], patch.axes[1])


def reach(found: Sequence[Explanation]) -> int:
    """Return the number of places that windows cover, along the longer side."""
    sides = [lines(each.patch) for each in found if each.patch]
    return max((_length(places) for places in _joined(sides)), default=0)


@dataclass
class Windows:
    """The windows of a block, as they are met one by one.

    Attributes:
        kernels: the weights that lie on them, each once.
        values: the input's numbers by their places.
        padding: which of these places are outside the input.
    """

    channel: int
    kernels: dict[tuple[float, ...], int] = field(default_factory=dict)
    values: dict[Place, float | None] = field(default_factory=dict)
    padding: set[Place] = field(default_factory=set)

    def add(self, found: Explanation) -> ReadWindow | None:
        """Collect one number's window, and return it.

        None if it has none in this channel of the input.
        """
        patch = found.patch
        if patch is None or not has_window(found) or patch.channel != self.channel:
            return None
        rows, columns = lines(patch)
        height, width = (1, patch.length[0]) if len(patch.axes) == 1 else patch.length
        places = [(row, column) for row in rows for column in columns]
        self.values |= dict(zip(places, patch.values, strict=True))
        self.padding |= {at for at in places if not (0 <= at[0] < height and 0 <= at[1] < width)}
        return ReadWindow(
            rows=rows,
            columns=columns,
            kernel=self.kernels.setdefault(patch.weights, len(self.kernels)) if patch.weights else None,
            others=json_number(sum(total for channel, total in found.channels if channel != patch.channel)),
            winner=patch.values.index(found.total) if found.source and found.total in patch.values else None,
        )

    @property
    def region(self) -> Region | None:
        """The part of the input that they cover."""
        if not self.values:
            return None
        rows, columns = [row for row, _ in self.values], [column for _, column in self.values]
        top, left = min(rows), min(columns)
        places = [
            (row, column) for row in range(top, max(rows) + 1) for column in range(left, max(columns) + 1)
        ]
        return Region(
            channel=self.channel,
            top=top,
            left=left,
            rows=max(rows) - top + 1,
            columns=max(columns) - left + 1,
            values=tuple(_number(self.values, at) for at in places),
            padding=tuple(at in self.padding for at in places),
        )


def _number(values: Mapping[Place, float | None], at: Place) -> Exact | None:
    value = values.get(at)
    return None if value is None else json_number(value)


def _joined(sides: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[list[int]]:
    return [[place for side in sides for place in side[axis]] for axis in range(_AXES)]


def _length(places: Sequence[int]) -> int:
    return max(places) - min(places) + 1 if places else 0
