"""Messages about a stranger's file of weights that cannot be read."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import OwnWeightsError
from ..sentences import Sentence

__all__ = [
    "ADVICE",
    "ARCHIVE",
    "LONGEST_LIST",
    "MOST_ENTRIES",
    "ONNX",
    "PYTORCH",
    "SAFETENSORS",
    "damaged",
    "more_than_weights",
    "not_read",
    "readable",
    "too_many_names",
    "too_many_parts",
]

ADVICE = Sentence("save model.state_dict() alone, best as safetensors")
PYTORCH, SAFETENSORS = Sentence("PyTorch file"), Sentence("safetensors file")
ARCHIVE, ONNX = Sentence("ZIP archive"), Sentence("ONNX file")
LONGEST_LIST = 8_000_000  # bytes of names and shapes: those of a billion parameters take a tenth
MOST_ENTRIES = 50_000  # weights, or parts of an archive; the largest models here have 3,000
_CUT = Sentence("it cannot be read to its end")
_UNTRUE = Sentence("what it claims to hold is not what is in it")
_LONGEST_SHOWN = 80
# What Python raises where bytes are missing, or are not what was expected there.
_BROKEN = (LookupError, ValueError, TypeError, OverflowError, EOFError, RecursionError, struct.error)


def damaged(kind: str, *, untrue: bool = False) -> OwnWeightsError:
    """Return the refusal of a file with missing bytes or false claims."""
    return OwnWeightsError(
        "This {kind} is damaged or cut short: {reason}.", kind=kind, reason=_UNTRUE if untrue else _CUT
    )


def more_than_weights(thing: str) -> OwnWeightsError:
    """Return the refusal of a pickle of something else than weights.

    It quotes the start of that thing's name.
    """
    if not isinstance(thing, Sentence):
        thing = "".join(filter(str.isprintable, thing[:_LONGEST_SHOWN]))
    return OwnWeightsError(
        "This file holds more than weights ({what}); nothing in it was run. Please {advice}.",
        what=thing,
        advice=ADVICE,
    )


def not_read(what: Sentence) -> OwnWeightsError:
    """Return the refusal of a sound file of another format."""
    return OwnWeightsError("This is {what}, which is not read here; {advice}.", what=what, advice=ADVICE)


def too_many_names() -> OwnWeightsError:
    """Return the refusal of a list that is too long for names."""
    return OwnWeightsError("This file holds far more names than weights have; {advice}.", advice=ADVICE)


def too_many_parts() -> OwnWeightsError:
    """Return the refusal of a file with too many parts."""
    return OwnWeightsError(
        "This file has more than {most} parts; {advice}.", most=f"{MOST_ENTRIES:,}", advice=ADVICE
    )


@contextmanager
def readable(kind: str, *, untrue: bool = False) -> Iterator[None]:
    """Turn errors of reading into the refusal of a damaged file.

    An ``OwnWeightsError`` passes as it is.
    """
    try:
        yield
    except OwnWeightsError:
        raise
    except _BROKEN as error:
        raise damaged(kind, untrue=untrue) from error
