"""What is said of a stranger's file of weights that is not read; each sentence is written once."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import OwnWeightsError

__all__ = [
    "ADVICE",
    "LONGEST_LIST",
    "MOST_ENTRIES",
    "PYTORCH",
    "SAFETENSORS",
    "damaged",
    "more_than_weights",
    "readable",
    "too_many_names",
    "too_many_parts",
]

ADVICE = "save model.state_dict() alone, best as safetensors"
PYTORCH, SAFETENSORS = "PyTorch file", "safetensors file"
LONGEST_LIST = 8_000_000  # bytes of names and shapes: those of a billion parameters take a tenth
MOST_ENTRIES = 50_000  # weights, or parts of an archive; the largest models here have 3,000
_CUT = "it cannot be read to its end"
_UNTRUE = "what it claims to hold is not what is in it"
_LONGEST_SHOWN = 80
# What Python raises where bytes are missing, or stand for something else than was expected there.
_BROKEN = (LookupError, ValueError, TypeError, OverflowError, EOFError, RecursionError, struct.error)


def damaged(kind: str, *, untrue: bool = False) -> OwnWeightsError:
    """Return the refusal of a file that ends too soon, or whose claims are not true."""
    return OwnWeightsError(f"This {kind} is damaged or cut short: {_UNTRUE if untrue else _CUT}.")


def more_than_weights(thing: str) -> OwnWeightsError:
    """Return the refusal of a pickle that wants something done; what that is, is quoted in short."""
    shown = "".join(filter(str.isprintable, thing[:_LONGEST_SHOWN]))
    return OwnWeightsError(
        f"This file holds more than weights ({shown}); nothing in it was run. Please {ADVICE}."
    )


def too_many_names() -> OwnWeightsError:
    """Return the refusal of a list that no model's weights are as long as."""
    return OwnWeightsError(f"This file holds far more names than weights have; {ADVICE}.")


def too_many_parts() -> OwnWeightsError:
    """Return the refusal of an archive, or a list of tensors, of too many parts."""
    return OwnWeightsError(f"This file has more than {MOST_ENTRIES:,} parts; {ADVICE}.")


@contextmanager
def readable(kind: str, *, untrue: bool = False) -> Iterator[None]:
    """Say in one sentence that a file cannot be read, whatever went wrong inside."""
    try:
        yield
    except OwnWeightsError:
        raise
    except _BROKEN as error:
        raise damaged(kind, untrue=untrue) from error
