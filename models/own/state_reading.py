"""Reading of a stranger's file of weights into a table, without PyTorch.

>>> from models.own.state_reading import table_of
>>> table_of(Path("mine.pth").read_bytes()).tensors[0].name
'conv1.weight'
"""

from collections.abc import Collection
from dataclasses import dataclass

from ..errors import OwnWeightsError
from ..sentences import Sentence
from .formats.exported import is_exported, read_exported
from .formats.npz import is_npz, read_npz
from .formats.onnx_file import is_onnx, read_onnx
from .pickled_weights import PickledTensor
from .state_archive import OLD_PROTOCOL, PickleContents, names_in, read_archive, read_pickles
from .state_finding import named_tensors
from .state_refusals import (
    ADVICE,
    ONNX,
    PYTORCH,
    SAFETENSORS,
    damaged,
    more_than_weights,
    not_read,
    readable,
    too_many_parts,
)
from .state_refusals import MOST_ENTRIES as MOST_TENSORS
from .state_safetensors import read_safetensors
from .state_table import PlacedTensor, StateTable, StoredNumbers, checked

__all__ = ["ZIP", "FileContents", "format_of", "is_script", "read_contents", "table_of"]

ZIP, _PICKLE = b"PK\x03\x04", b"\x80"
_PROGRAM, _OF_A_PROGRAM = Sentence("a TorchScript program"), "__torch__."
_LIST = 8  # where the list of a safetensors file begins
_NO_FORMAT = Sentence("This is neither a safetensors file nor a PyTorch state dict (.pt, .pth).")
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_OTHERS = {  # by how they begin, in small letters: a web page may begin with any
    b"gguf": Sentence("a GGUF file"),
    b"\x89hdf\r\n\x1a\n": Sentence("an HDF5 file, such as Keras writes"),
    b"\x93numpy": Sentence("a NumPy array"),
    b"<!doctype": Sentence("a web page"),
    b"<html": Sentence("a web page"),
    b"l119547037146038801333356l": OLD_PROTOCOL,  # the number that torch.save begins with
}


@dataclass(frozen=True, slots=True)
class FileContents:
    """Contents of a file with weights.

    Attributes:
        table: its tensors.
        pickled: its pickle's contents, if it has one: containers, texts, numbers, ``PickledTensor`` and
            ``UnmadeObject``.
    """

    table: StateTable
    pickled: object = None


def table_of(data: bytes) -> StateTable:
    """Return the table of a file's tensors and their places.

    All are in it, whatever they are inside: ``optimizer/…`` too. Which of them are a model's weights, only
    the model can say: see ``models.own.place``.

    Raises:
        OwnWeightsError: the file is damaged, or holds something other than weights.
    """
    return read_contents(data).table


def read_contents(data: bytes) -> FileContents:
    """Return a weights file's contents, whatever its format.

    See ``table_of``.

    Raises:
        OwnWeightsError: the file is damaged, or holds something other than weights.
    """
    if not data:
        raise OwnWeightsError("This file of weights is empty.")
    kind = format_of(data)
    with readable(kind, untrue=kind == SAFETENSORS):
        found = _read(data, kind)
    if not found.table.tensors:
        raise OwnWeightsError("This file holds no weights by name; {advice}.", advice=ADVICE)
    checked(found.table, len(data), kind)
    return found


def format_of(data: bytes) -> str:
    """Return the name of a file's format, by its first bytes.

    Raises:
        OwnWeightsError: it has none of those that are read here.
    """
    _check_stranger(data)
    if data[_LIST : _LIST + 1] == b"{":  # checked first: the length in front of it may look like a pickle
        return SAFETENSORS
    if data.startswith((ZIP, _PICKLE)):
        return PYTORCH
    if is_onnx(data):
        return ONNX
    raise OwnWeightsError(_NO_FORMAT)


def _check_stranger(data: bytes) -> None:
    """Refuse by its name a known format that is not read."""
    if data.startswith(_LFS_POINTER):
        raise OwnWeightsError(
            "This is not the file itself but a pointer of Git LFS to it; fetch the file with git lfs pull."
        )
    begins = data[: max(map(len, _OTHERS))].lower()
    for other, what in _OTHERS.items():
        if begins.startswith(other):
            raise not_read(what)


def is_script(names: Collection[str]) -> bool:
    """Return whether an archive with these parts is a TorchScript program."""
    return any(name.endswith("/constants.pkl") for name in names)


def _read(data: bytes, kind: str) -> FileContents:
    if kind == SAFETENSORS:
        return FileContents(read_safetensors(data))
    if kind == ONNX:
        return FileContents(read_onnx(data))
    if data.startswith(_PICKLE):
        return _of_pickle(read_pickles(data))
    names = names_in(data)
    if is_exported(names):
        return FileContents(read_exported(data))
    return FileContents(read_npz(data, names)) if is_npz(names) else _of_pickle(read_archive(data))


def _of_pickle(found: PickleContents) -> FileContents:
    return FileContents(_placed(found), found.contents)


def _placed(found: PickleContents) -> StateTable:
    """Return the table of the weights that a pickle names.

    It has no storages but theirs.
    """
    state = named_tensors(found.contents)
    if not state and found.stranger:
        raise more_than_weights(_PROGRAM if found.stranger.startswith(_OF_A_PROGRAM) else found.stranger)
    if len(state) > MOST_TENSORS:
        raise too_many_parts()
    dtypes = {tensor.storage: tensor.dtype for tensor in state.values()}
    if any(dtypes[tensor.storage] != tensor.dtype for tensor in state.values()):
        raise damaged(PYTORCH, untrue=True)
    numbers = {key: place for place, key in enumerate(dtypes)}
    return StateTable(
        tuple(StoredNumbers(*found.places[key], dtype) for key, dtype in dtypes.items()),
        tuple(
            PlacedTensor(name, numbers[each.storage], _offset(each), each.shape, each.stride)
            for name, each in state.items()
        ),
    )


def _offset(tensor: PickledTensor) -> int:
    """Return a tensor's first place in its storage, 0 without numbers."""
    return 0 if 0 in tensor.shape else tensor.offset
