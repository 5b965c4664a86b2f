"""Terms of a comparison: kinds of files and the tolerance, without PyTorch."""

import math
from typing import NamedTuple

from ..errors import RequestError

CAPTURED = (".npz", ".safetensors")  # files of captured outputs
ONNX = ".onnx"


class Tolerance(NamedTuple):
    """Tolerance of a value: ``|a − b| ≤ absolute + relative × |b|``.

    Integers and booleans must be equal.

    The defaults let folded norms pass, which moved layers of trained nets by 2e-6 to 1.04e-4, and lie below
    the effect of an epsilon of 1e-3 in place of 1e-5: about 5e-4 of a value, where the variance is about 1.

    >>> strict = lg.Tolerance(absolute=1e-6, relative=0)
    >>> lg.divergence(model, model, images, tolerance=strict).first is None
    True
    """

    absolute: float = 1e-4
    relative: float = 1e-4


DEFAULT = Tolerance()


def tolerance_of(given: float | tuple[float, float]) -> Tolerance:
    """Return a tolerance from one number, or from (absolute, relative).

    One number stands for both parts.

    Raises:
        RequestError: a part is no finite number from 0.
    """
    found = Tolerance(*given) if isinstance(given, tuple) else Tolerance(given, given)
    if not all(math.isfinite(part) and part >= 0 for part in found):
        raise RequestError("a tolerance is a number from 0, and not {given}.", given=repr(given))
    return found
