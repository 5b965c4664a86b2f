"""Places of the numbers in a file of weights, as plain values.

Nothing here imports PyTorch, so that a process of its own can read a stranger's file with little memory and
hand the table over.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any

from ..errors import OwnWeightsError
from .state_refusals import MOST_ENTRIES, PYTORCH, damaged, too_many_parts

__all__ = ["ITEM_BYTES", "PlacedTensor", "StateTable", "StoredNumbers", "checked", "from_plain", "row_by_row"]

# Bytes of one number, by PyTorch's name of its type.
ITEM_BYTES = {
    **dict.fromkeys(("bool", "uint8", "int8", "float8_e4m3fn", "float8_e5m2"), 1),
    **dict.fromkeys(("float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"), 1),
    **dict.fromkeys(("int16", "uint16", "float16", "bfloat16"), 2),
    **dict.fromkeys(("int32", "uint32", "float32", "complex32"), 4),
    **dict.fromkeys(("int64", "uint64", "float64", "complex64"), 8),
    "complex128": 16,
}
_LARGEST = 2**40  # numbers along an axis, or steps between two of them
_MOST_AXES = 64
_LONGEST_NAME = 500  # characters; the longest in the catalogue has 90


@dataclass(frozen=True, slots=True)
class StoredNumbers:
    """Numbers that are stored side by side in the file.

    Attributes:
        start: their first byte in the file.
        stop: the byte after their last.
        dtype: their type, a name in ``ITEM_BYTES``.
    """

    start: int
    stop: int
    dtype: str


@dataclass(frozen=True, slots=True)
class PlacedTensor:
    """A named tensor, as a view of stored numbers.

    Attributes:
        name: what the state dict calls it.
        storage: the place of its numbers in ``StateTable.storages``.
        offset: its first number there.
        shape: how many numbers it has along each axis.
        stride: how many numbers apart they are along each axis.
    """

    name: str
    storage: int
    offset: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]

    @property
    def repeats(self) -> bool:
        """True if a number may stand at several places, as after ``expand``."""
        reached = 0
        for step, length in sorted(zip(self.stride, self.shape, strict=True)):
            if length > 1 and step <= reached and 0 not in self.shape:
                return True
            reached += max(length - 1, 0) * step
        return False


@dataclass(frozen=True, slots=True)
class StateTable:
    """A state dict without its numbers."""

    storages: tuple[StoredNumbers, ...]
    tensors: tuple[PlacedTensor, ...]

    def only(self, names: Container[str]) -> "StateTable":
        """Return the table of some tensors, with their storages only."""
        chosen = [each for each in self.tensors if each.name in names]
        places = {place: at for at, place in enumerate(dict.fromkeys(each.storage for each in chosen))}
        return StateTable(
            tuple(self.storages[place] for place in places),
            tuple(replace(each, storage=places[each.storage]) for each in chosen),
        )

    def to_plain(self) -> dict[str, list[list[Any]]]:
        """Return the table as values for JSON; ``from_plain`` reverses it."""
        return {
            "storages": [[each.start, each.stop, each.dtype] for each in self.storages],
            "tensors": [
                [each.name, each.storage, each.offset, list(each.shape), list(each.stride)]
                for each in self.tensors
            ],
        }


def from_plain(plain: Any, size: int) -> StateTable:
    """Return the table that another process found, fully checked.

    Args:
        plain: what ``to_plain`` returned there, through JSON.
        size: the bytes of the file.

    Raises:
        OwnWeightsError: the table is not one of a file of that size.
    """
    try:
        storages = tuple(StoredNumbers(*row) for row in plain["storages"])
        tensors = tuple(
            PlacedTensor(name, storage, offset, tuple(shape), tuple(stride))
            for name, storage, offset, shape, stride in plain["tensors"]
        )
    except (LookupError, TypeError, ValueError) as error:
        raise damaged(PYTORCH, untrue=True) from error
    return checked(StateTable(storages, tensors), size)


def checked(table: StateTable, size: int, kind: str = PYTORCH) -> StateTable:
    """Return the table, after checking its claims on the file's bytes.

    Each tensor has its own bytes of the file, and no others. Those that repeat numbers are written out later,
    and together need no more bytes than the file has.

    Raises:
        OwnWeightsError: it claims more than a file of that many bytes can hold.
    """
    if max(len(table.storages), len(table.tensors)) > MOST_ENTRIES:
        raise too_many_parts()
    if not _apart(table.storages, size) or len({each.name for each in table.tensors}) < len(table.tensors):
        raise damaged(kind, untrue=True)
    room = size
    for tensor in table.tensors:
        _check_name(tensor.name)
        if not _inside(tensor, table.storages):
            raise damaged(kind, untrue=True)
        if tensor.repeats:
            room -= prod(tensor.shape) * ITEM_BYTES[table.storages[tensor.storage].dtype]
        if room < 0:
            raise OwnWeightsError(
                "Several numbers of {name} share the same bytes in this file; save its .contiguous() copy.",
                name=tensor.name[:80],
            )
    return table


def _apart(storages: Iterable[StoredNumbers], size: int) -> bool:
    """Return whether storages are whole parts of the file, none overlapping."""
    if not all(_whole(each, size) for each in storages):
        return False
    order = sorted((each.start, each.stop) for each in storages)
    return all(first[1] <= second[0] for first, second in pairwise(order))


def _whole(stored: StoredNumbers, size: int) -> bool:
    return (
        _are_numbers((stored.start, stored.stop), size)
        and stored.start <= stored.stop
        and type(stored.dtype) is str
        and stored.dtype in ITEM_BYTES
        and (stored.stop - stored.start) % ITEM_BYTES[stored.dtype] == 0
    )


def _are_numbers(values: Sequence[object], most: int) -> bool:
    return all(type(value) is int and 0 <= value <= most for value in values)


def _check_name(name: object) -> None:
    if type(name) is not str or len(name) > _LONGEST_NAME or not name.isprintable():
        raise OwnWeightsError(
            "A name in this file has more than {most} characters, or some that cannot be shown; "
            "rename what it names.",
            most=_LONGEST_NAME,
        )


def _inside(tensor: PlacedTensor, storages: Sequence[StoredNumbers]) -> bool:
    """Check whether all of a tensor's numbers lie within its storage."""
    axes = len(tensor.shape)
    if axes > _MOST_AXES or axes != len(tensor.stride):
        return False
    if not _are_numbers((tensor.offset, *tensor.shape, *tensor.stride), _LARGEST):
        return False
    if not _are_numbers((tensor.storage,), len(storages) - 1):
        return False
    stored = storages[tensor.storage]
    held = (stored.stop - stored.start) // ITEM_BYTES[stored.dtype]
    return tensor.offset + _extent(tensor) <= held and _countable(tensor.shape)


def _countable(shape: Iterable[int]) -> bool:
    """Return whether an empty tensor's axes are small enough for PyTorch."""
    product = 1
    for length in shape:
        product *= max(length, 1)
    return product <= _LARGEST


def _extent(tensor: PlacedTensor) -> int:
    """Return the number of stored numbers that a tensor spans."""
    if 0 in tensor.shape:
        return 0
    return 1 + sum((length - 1) * step for length, step in zip(tensor.shape, tensor.stride, strict=True))


def row_by_row(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the steps between numbers that are stored row by row."""
    steps = [1]
    for length in reversed(shape[1:]):
        steps.append(steps[-1] * max(length, 1))
    return tuple(reversed(steps))[: len(shape)] if shape else ()
