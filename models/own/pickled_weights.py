"""Meanings of PyTorch's names in a pickle of weights.

They are types, storages, and the functions that PyTorch rebuilds tensors with. A tensor is never rebuilt
here: the result says which numbers of the file it is made of. Anything else that is named is left unmade.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from ..sentences import Sentence
from .pickled import Meanings, UnmadeObject, texts_of
from .state_refusals import PYTORCH, damaged, more_than_weights
from .state_table import ITEM_BYTES

__all__ = ["BYTES", "PickledStorage", "PickledTensor", "PickledWeights"]

BYTES = "bytes"  # a storage whose tensors say the type of its numbers
_STORAGES = {
    "torch.storage.UntypedStorage": BYTES,
    "torch.UntypedStorage": BYTES,
    "torch.FloatStorage": "float32",
    "torch.DoubleStorage": "float64",
    "torch.HalfStorage": "float16",
    "torch.BFloat16Storage": "bfloat16",
    "torch.LongStorage": "int64",
    "torch.IntStorage": "int32",
    "torch.ShortStorage": "int16",
    "torch.CharStorage": "int8",
    "torch.ByteStorage": "uint8",
    "torch.BoolStorage": "bool",
    "torch.ComplexFloatStorage": "complex64",
    "torch.ComplexDoubleStorage": "complex128",
    # Quantised numbers as they are stored: their tensors are left unmade.
    "torch.QInt8Storage": "int8",
    "torch.QUInt8Storage": "uint8",
    "torch.QInt32Storage": "int32",
    "torch.QUInt4x2Storage": "uint8",
    "torch.QUInt2x4Storage": "uint8",
}
_SETS = ("builtins.set", "__builtin__.set")
_GETTING = ("builtins.getattr", "__builtin__.getattr")
_LONGEST_NAME = 600
_SOURCED = 4
_STORED, _VIEWED = 5, 6  # entries that name a storage: in newer files, and in those from before 2020


@dataclass(frozen=True, slots=True)
class PickledStorage:
    """A storage that a pickle names.

    Attributes:
        key: what the file calls it.
        dtype: the type of its numbers, or ``BYTES``.
        count: how many there are.
    """

    key: str
    dtype: str
    count: int

    @property
    def bytes(self) -> int:
        """Its size in the file, in bytes."""
        return self.count * ITEM_BYTES.get(self.dtype, 1)


@dataclass(frozen=True, slots=True)
class PickledTensor:
    """A pickled tensor's place in its storage, as in ``PlacedTensor``."""

    storage: str
    dtype: str
    offset: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A storage, from one of its numbers on."""

    storage: PickledStorage
    first: int = 0


@dataclass(frozen=True, slots=True)
class _UnresolvedName:
    """A name that is never looked up."""

    name: str


class PickledWeights(Meanings):
    """The meanings of PyTorch's names for tensors; nothing else is made.

    Attributes:
        storages: all that were named, by their keys.
        stranger: the first name that is no part of a tensor, or an empty text.
    """

    def __init__(self) -> None:
        self.storages: dict[str, PickledStorage] = {}
        self.stranger = ""

    def named(self, name: str) -> object:
        """Return a stand-in for a name."""
        known = _KNOWN.get(name)
        if known is None:
            self.stranger = self.stranger or name
        return known or _UnresolvedName(name)

    def made(self, thing: object, arguments: tuple[object, ...]) -> object:
        """Return the plain description of what a pickle would make.

        That is a tensor's, a shape, None in place of a device, or an unmade object.

        Raises:
            OwnWeightsError: this is not how tensors are rebuilt.
        """
        if not isinstance(thing, _UnresolvedName):
            raise damaged(PYTORCH)
        maker = _MAKERS.get(thing.name)
        if maker is not None:
            found = maker(*arguments)
            self.stranger = self.stranger or (found.name if isinstance(found, UnmadeObject) else "")
            return found
        self.stranger = self.stranger or thing.name
        if thing.name in _GETTING:
            return _inner(*arguments)
        items = arguments[0] if thing.name in _SETS and arguments else None
        return UnmadeObject(texts_of(items) if isinstance(items, list) else {}, thing.name)

    def kept(self, identity: object) -> object:
        """Return the storage that a tuple such as ``("storage", type, key, place, count)`` names.

        Raises:
            OwnWeightsError: it names something else, one storage in two ways, or numbers of an unknown type.
        """
        if isinstance(identity, tuple) and len(identity) == _SOURCED and identity[0] == "module":
            return identity[
                1
            ]  # files from before 2020 keep the text of a class's source file beside its name
        if not isinstance(identity, tuple) or len(identity) not in (_STORED, _VIEWED):
            raise damaged(PYTORCH)
        word, kind, key, _, count = identity[:_STORED]
        if isinstance(kind, _UnresolvedName) and kind.name not in _STORAGES:
            raise more_than_weights(self.stranger or kind.name)
        dtype = _STORAGES.get(kind.name) if isinstance(kind, _UnresolvedName) else None
        if word != "storage" or dtype is None or not isinstance(key, str) or not _is_count(count):
            raise damaged(PYTORCH)
        storage = PickledStorage(key, dtype, count)
        if self.storages.setdefault(key, storage) != storage:
            raise damaged(PYTORCH, untrue=True)
        return _Part(storage, _first(*identity[_STORED:]))


def _inner(owner: object = None, name: object = "", *_: object) -> object:
    """Return the name of an inner class, from a call of getattr."""
    if not isinstance(owner, _UnresolvedName) or not isinstance(name, str):
        return UnmadeObject()
    return _UnresolvedName(f"{owner.name}.{name}"[:_LONGEST_NAME])


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < 2**63


def _first(view: object = None) -> int:
    """Return the first number of a storage's view in old files."""
    if view is None:
        return 0
    _, first, _ = view if isinstance(view, tuple) else ()
    if not _is_count(first):
        raise damaged(PYTORCH)
    return first


def _tensor(
    part: object, offset: object, shape: object, stride: object, *rest: object
) -> PickledTensor | UnmadeObject:
    """Describe a tensor of a typed storage, without hooks and gradients."""
    return _described(part, offset, shape, stride, None, *rest[2:])


def _typed_tensor(
    part: object,
    offset: object,
    shape: object,
    stride: object,
    _: object,
    __: object,
    dtype: object,
    *rest: object,
) -> PickledTensor | UnmadeObject:
    """Return the same for a storage of plain bytes."""
    if not isinstance(dtype, _UnresolvedName):
        raise damaged(PYTORCH)
    return _described(part, offset, shape, stride, dtype.name.removeprefix("torch."), *rest)


def _described(
    part: object, offset: object, shape: object, stride: object, dtype: str | None, metadata: object = None
) -> PickledTensor | UnmadeObject:
    """Describe a tensor, unless its numbers are not those stored."""
    if not isinstance(part, _Part) or not _is_count(offset):
        raise damaged(PYTORCH)
    if metadata:
        return UnmadeObject(name=Sentence("conjugated numbers"))
    dtype = part.storage.dtype if dtype is None else dtype
    if dtype not in ITEM_BYTES:
        return UnmadeObject(name=dtype)
    return PickledTensor(part.storage.key, dtype, part.first + offset, _size(shape), _size(stride))


def _of_a_type(rebuild: object, _: object, arguments: object, *__: object) -> object:
    """Describe a tensor of a class of its own, without further attributes.

    One that is put together in another way, as of two tensors, is left unmade.
    """
    if not isinstance(rebuild, _UnresolvedName) or not isinstance(arguments, tuple):
        raise damaged(PYTORCH)
    maker = _MAKERS.get(rebuild.name)
    return UnmadeObject(name=rebuild.name) if maker is None else maker(*arguments)


def _parameter(tensor: object, *_: object) -> PickledTensor | UnmadeObject:
    if not isinstance(tensor, PickledTensor | UnmadeObject):
        raise damaged(PYTORCH)
    return tensor


def _size(values: object) -> tuple[int, ...]:
    if not isinstance(values, tuple | list) or not all(map(_is_count, values)):
        raise damaged(PYTORCH)
    return tuple(values)


def _nothing(*_: object) -> None:
    """Stand in for a device: here all numbers are the processor's."""


_MAKERS: dict[str, Callable[..., object]] = {
    "torch._utils._rebuild_tensor": _tensor,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_tensor_v3": _typed_tensor,
    "torch._utils._rebuild_parameter": _parameter,
    "torch._utils._rebuild_parameter_with_state": _parameter,
    "torch._tensor._rebuild_from_type_v2": _of_a_type,
    "torch.Size": _size,
    "torch.device": _nothing,
}
_TYPES: Sequence[str] = [f"torch.{word}" for word in ITEM_BYTES]
_KNOWN: dict[str, object] = {
    "collections.OrderedDict": dict,
    **{name: _UnresolvedName(name) for name in (*_MAKERS, *_STORAGES, *_TYPES)},
}
