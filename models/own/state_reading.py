"""From the bytes of a stranger's file of weights to a table of what is where in it, without PyTorch.

>>> from models.own.state_reading import table_of
>>> table_of(Path("mine.pth").read_bytes()).tensors[0].name
'conv1.weight'
"""

from collections.abc import Mapping
from itertools import takewhile

from ..errors import OwnWeightsError
from .pickled_weights import PickledTensor
from .state_archive import Unpickled, read_archive, read_pickles
from .state_refusals import ADVICE, PYTORCH, SAFETENSORS, damaged, readable, too_many_parts
from .state_refusals import MOST_ENTRIES as MOST_TENSORS
from .state_safetensors import read_safetensors
from .state_table import PlacedTensor, StateTable, StoredNumbers, checked

__all__ = ["table_of"]

_ZIP, _PICKLE = b"PK\x03\x04", b"\x80"
_LIST = 8  # where the list of a safetensors file begins
_WRAPPERS = ("state_dict", "model_state_dict", "model", "net", "weights")
_PREFIXES = ("module.", "_orig_mod.")  # left by DataParallel and by torch.compile


def table_of(data: bytes) -> StateTable:
    """Return which tensors a safetensors file or a PyTorch state dict holds, and where their numbers are.

    Weights inside a checkpoint (under ``state_dict``, ``model`` and the like) are found. The prefixes that
    DataParallel and torch.compile put before every name are removed.

    Raises:
        OwnWeightsError: the file is damaged, or holds something other than weights.
    """
    if not data:
        raise OwnWeightsError("This file of weights is empty.")
    table, kind = _table(data)
    if not table.tensors:
        raise OwnWeightsError("This file holds no weights by name; {advice}.", advice=ADVICE)
    return _without_prefix(checked(table, len(data), kind))


def _table(data: bytes) -> tuple[StateTable, str]:
    """Return the table as the file has it, and the kind of file."""
    if data[_LIST : _LIST + 1] == b"{":  # checked first: the length in front of it may look like a pickle
        with readable(SAFETENSORS, untrue=True):
            return read_safetensors(data), SAFETENSORS
    for start, read in ((_ZIP, read_archive), (_PICKLE, read_pickles)):
        if data.startswith(start):
            with readable(PYTORCH):
                return _placed(read(data)), PYTORCH
    raise OwnWeightsError("This is neither a safetensors file nor a PyTorch state dict (.pt, .pth).")


def _placed(found: Unpickled) -> StateTable:
    """Return the table of the weights that a pickle names, with no storages but theirs."""
    state = _tensors(found.contents)
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
    """Return where a tensor begins; one without numbers may claim to begin after its storage."""
    return 0 if 0 in tensor.shape else tensor.offset


def _tensors(contents: object) -> dict[str, PickledTensor]:
    """Return the named tensors of a state dict, or of the first one that a checkpoint wraps."""
    if not isinstance(contents, Mapping):
        return {}
    for key in _WRAPPERS:
        inside = _tensors_in(contents.get(key))
        if inside:
            return inside
    return _tensors_in(contents)


def _tensors_in(contents: object) -> dict[str, PickledTensor]:
    if not isinstance(contents, Mapping):
        return {}
    return {name: value for name, value in contents.items() if isinstance(value, PickledTensor)}


def _without_prefix(table: StateTable) -> StateTable:
    """Return the table without the prefixes that all names share."""
    names = [tensor.name for tensor in table.tensors]
    first, last = min(names), max(names)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    length = _prefixes(first[:shared])
    tensors = (
        PlacedTensor(each.name[length:], each.storage, each.offset, each.shape, each.stride)
        for each in table.tensors
    )
    return StateTable(table.storages, tuple(tensors)) if length else table


def _prefixes(name: str) -> int:
    """Return how many characters of a name are prefixes, one after another."""
    length = 0
    while found := next((each for each in _PREFIXES if name.startswith(each, length)), ""):
        length += len(found)
    return length
