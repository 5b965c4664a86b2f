"""Errors of memory refused while weights are read.

They are no fault of the file, so nobody should delete it.
"""

import hashlib
import re
from pathlib import Path

__all__ = ["CHECKSUM", "is_refused_memory", "is_whole"]

CHECKSUM = re.compile(
    r"-([a-f0-9]{8,64})\."
)  # torch.hub's way: the file's name holds the start of its SHA-256
_SAID = ("can't allocate memory", "out of memory", "not enough memory")  # by PyTorch, in a RuntimeError


def is_refused_memory(error: BaseException) -> bool:
    """Return whether an error says that memory was refused."""
    if isinstance(error, RuntimeError):
        return any(each in str(error).lower() for each in _SAID)
    return isinstance(error, MemoryError)


def is_whole(path: Path) -> bool:
    """Return whether a file has the checksum that is in its name.

    False if its name has none. A damaged file may ask for far more memory than there is, so a refusal alone
    does not clear it.
    """
    wanted = CHECKSUM.search(path.name)
    if wanted is None:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest().startswith(wanted[1])
