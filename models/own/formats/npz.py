"""Arrays in a NumPy archive (.npz), as a state dict.

Each part is a file .npy: a line with type, order and shape, and the numbers behind it.

Source: numpy/lib/_format_impl.py. Only what NumPy writes is read: uncompressed, and no pickled objects.
"""

import re
from collections.abc import Collection

from ...sentences import Sentence
from ..state_archive import archive_parts, check_order
from ..state_refusals import ARCHIVE, damaged, not_read
from ..state_table import PlacedTensor, StateTable, StoredNumbers, row_by_row

__all__ = ["is_npz", "read_npz"]

_ENDING, _MAGIC = ".npy", b"\x93NUMPY"
_COMPRESSED = Sentence("a compressed .npz file, as numpy.savez_compressed writes")
_LENGTH, _LONGEST = 8, 10_000  # where the length of the line stands, and the most that NumPy itself reads
_LINE = re.compile(r"\{'descr': '([^']*)', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), *\}\s*")
_TYPES = {
    "|b1": "bool",
    "|u1": "uint8",
    "|i1": "int8",
    "<c8": "complex64",
    "<c16": "complex128",
    **{f"<f{size}": f"float{8 * size}" for size in (2, 4, 8)},
    **{f"<{kind[0]}{size}": f"{kind}{8 * size}" for kind in ("int", "uint") for size in (2, 4, 8)},
}
_OPPOSITE = {f">{name[1:]}" for name in _TYPES if name.startswith("<")}


def is_npz(names: Collection[str]) -> bool:
    """Return whether an archive with these parts is NumPy's."""
    return bool(names) and all(name.endswith(_ENDING) for name in names)


def read_npz(data: bytes, names: Collection[str]) -> StateTable:
    """Return the arrays of an archive with these parts, and their places.

    Those that hold objects or texts are left out.

    Raises:
        OwnWeightsError: it is compressed, damaged, or of the opposite byte order.
        LookupError, TypeError, ValueError: it is damaged.
    """
    parts = archive_parts(data)
    if len(parts) < len(names):
        raise not_read(_COMPRESSED)
    storages, tensors = list[StoredNumbers](), list[PlacedTensor]()
    for name, (start, stop) in parts.items():
        version = data[start + len(_MAGIC)]
        first = start + _LENGTH + (2 if version == 1 else 4)
        behind = first + int.from_bytes(data[start + _LENGTH : first], "little")
        if not data.startswith(_MAGIC, start) or behind > min(stop, first + _LONGEST):
            raise damaged(ARCHIVE)
        said = _LINE.fullmatch(str(data[first:behind], "latin-1"))
        check_order(said is None or said[1] not in _OPPOSITE)
        if said is None or said[1] not in _TYPES:
            continue
        shape = tuple(int(each) for each in said[3].split(",") if each.strip())
        columns = row_by_row(shape[::-1])[::-1]  # Fortran's order: the first axis runs fastest
        stride = columns if said[2] == "True" else row_by_row(shape)
        tensors.append(PlacedTensor(name.removesuffix(_ENDING), len(storages), 0, shape, stride))
        storages.append(StoredNumbers(behind, stop, _TYPES[said[1]]))
    return StateTable(tuple(storages), tuple(tensors))
