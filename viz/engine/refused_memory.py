"""Memory that the system refuses, and the error for a visitor."""

from ..errors import TooLargeError
from ..sentences import Sentence

_SAID = ("can't allocate memory", "out of memory", "not enough memory")  # by PyTorch, on each kind of device


def refused_memory(error: BaseException) -> TooLargeError | None:
    """Return our error for one caused by too little memory.

    None for other errors. Python and NumPy raise a ``MemoryError``, PyTorch a ``RuntimeError`` that says so.
    An error that has a sentence of its own about memory keeps it.
    """
    each: BaseException | None = error
    while each is not None:
        if _is_refusal(each):
            return TooLargeError(
                "There was not enough memory for this; choose a smaller layer or model, or try again in a "
                "while."
            )
        each = each.__cause__
    return None


def _is_refusal(error: BaseException) -> bool:
    if isinstance(str(error), Sentence):
        return False
    if isinstance(error, RuntimeError):
        return any(each in str(error).lower() for each in _SAID)
    return isinstance(error, MemoryError)
