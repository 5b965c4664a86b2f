"""From the bytes of a stranger's file of weights to a table of its tensors, without PyTorch.

>>> from models.own.state_reading import table_of
>>> table_of(Path("mine.pth").read_bytes()).tensors[0].name
'conv1.weight'
"""

from ..errors import OwnWeightsError
from ..sentences import Sentence
from .pickled_weights import PickledTensor
from .state_archive import Unpickled, read_archive, read_pickles
from .state_finding import named_tensors
from .state_refusals import ADVICE, PYTORCH, SAFETENSORS, damaged, more_than_weights, readable, too_many_parts
from .state_refusals import MOST_ENTRIES as MOST_TENSORS
from .state_safetensors import read_safetensors
from .state_table import PlacedTensor, StateTable, StoredNumbers, checked

__all__ = ["table_of"]

_ZIP, _PICKLE = b"PK\x03\x04", b"\x80"
_PROGRAM, _OF_A_PROGRAM = Sentence("a TorchScript program"), "__torch__."
_LIST = 8  # where the list of a safetensors file begins


def table_of(data: bytes) -> StateTable:
    """Return which tensors a safetensors file or a PyTorch file holds, and where their numbers are.

    All are in it, whatever they are inside: ``optimizer/…`` too. Which of them are a model's weights, only
    the model can say: see ``models.own.place``.

    Raises:
        OwnWeightsError: the file is damaged, or holds something other than weights.
    """
    if not data:
        raise OwnWeightsError("This file of weights is empty.")
    table, kind = _table(data)
    if not table.tensors:
        raise OwnWeightsError("This file holds no weights by name; {advice}.", advice=ADVICE)
    return checked(table, len(data), kind)


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
    """Return where a tensor begins; one without numbers may claim to begin after its storage."""
    return 0 if 0 in tensor.shape else tensor.offset
