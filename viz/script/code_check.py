"""Lines of Python that check whether a script made a view's numbers.

Bits cannot be compared: another processor, another number of threads or another version of PyTorch rounds
differently. So a script carries sixteen sums of its value, one for each part of it, with signs by chance.
Where two arrays differ, by whatever pattern, the squared differences of their sums add up, on average, to
the squared differences of their values. So seventeen numbers tell how far apart the arrays are, as a share
of their size, and every value counts; a mean, a range or a few samples would miss maps in another order, or
zeros. Of a thousand differences that are spread over all parts, 998 are found to be 0.5 to 1.6 times as
large as they are.

Source: Charikar, Chen and Farach-Colton, "Finding frequent items in data streams", 2002; Alon, Matias and
Szegedy, "The space complexity of approximating the frequency moments", 1996.

How much is rounding was measured on every layer of ten untrained models, with one thread and the newest
instructions of a processor beside two threads and those of 2006. In single precision it is up to 6e-6 of
the size, and up to 1e-3 for two gradients, because a ReLU has a corner; whole numbers of 8 bits jump from
one to the next, which makes up to 0.27. For comparison: no layer of a quantised ResNet-18 is less than 1.4
from that of the plain one, and a photograph resized with another filter is 0.03 away after one convolution.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .code_model import Card, is_quantised

_PARTS = 16
_WIDTH = 100  # columns of a wrapped list
_SINGLE, _BACKWARD, _HALF, _QUANTISED = 1e-3, 1e-2, 5e-2, 0.5
_HALF_TYPES = ("float16", "bfloat16", "float8")


@dataclass(frozen=True)
class Digest:
    """Digest of the array that a script should make.

    Attributes:
        shape: its shape.
        size: the root of the sum of its squares; 1 if all are zero.
        sums: one for each sixteenth of its values, with signs by chance.
    """

    shape: tuple[int, ...]
    size: float
    sums: tuple[float, ...]


def digest(values: NDArray[Any]) -> Digest:
    """Return the digest of an array of any shape.

    NaN and infinity count as nothing.
    """
    finite = np.nan_to_num(_real(values).ravel().astype(np.float64), posinf=0, neginf=0)
    # A Generator's numbers may change between versions of NumPy; those of a RandomState never do.
    signs = 2 * np.random.RandomState(0).randint(2, size=finite.size, dtype=np.int8) - 1
    sums = tuple(float(part.sum()) for part in np.array_split(finite * signs, _PARTS))
    return Digest(values.shape, float(np.linalg.norm(finite)) or 1.0, sums)


def _real(values: NDArray[Any]) -> NDArray[Any]:
    return np.stack([values.real, values.imag]) if values.dtype.kind == "c" else values


def tolerance(card: Card, dtype: str, device: str, *, backward: bool) -> float:
    """Return the deviation that may be rounding.

    It is a share of the value's size. A gradient depends on which side of a ReLU's corner a value falls, and
    a graphics card may compute convolutions with fewer digits.

    Args:
        card: the model's card.
        dtype: the type of the numbers that it computes with, such as ``"float32"``.
        device: where Layerglass ran it.
        backward: whether the value is a gradient, or made of differences as small.
    """
    if is_quantised(card):
        return _QUANTISED
    if dtype.startswith(_HALF_TYPES):
        return _HALF
    return _BACKWARD if backward or not device.startswith("cpu") else _SINGLE


def check_lines(
    named: Sequence[tuple[str, Digest]], allowed: float, *, is_complex: bool, whose: str = "the view"
) -> list[str]:
    """Return the lines that compare the arrays with the view's.

    Args:
        named: an array's name in the script, and what is known of it; a difference needs both of its sides,
            because its own size does not tell how much rounding is in it.
        allowed: the deviation that may be rounding, as ``tolerance`` says.
        is_complex: whether the arrays are complex.
        whose: where these arrays are from, if not from a view.
    """
    real = "np.stack([{0}.real, {0}.imag])" if is_complex else "{0}"
    found = [f"distance({real.format(name)}, {name}_sums, {known.size!r})" for name, known in named]
    (first, known), rounding = named[0], f"rounding explains up to {allowed:g}"
    return [
        *(line.replace("{whose}", whose) for line in _DISTANCE),
        *(line for name, known in named for line in _listed(f"{name}_sums", known.sums)),
        *(["deviation = max(", *(f"    {each}," for each in found), ")"] if found[1:] else []),
        *([] if found[1:] else [f"deviation = {found[0]}"]),
        f"if {first}.shape != {known.shape}:",
        f'    print(f"NOT the numbers of {whose}: their shape is {{{first}.shape}}, not {known.shape}.")',
        f"elif deviation <= {allowed:g}:",
        f'    print(f"The same numbers as in {whose}: {{deviation:.1g}} of their size away; {rounding}.")',
        "else:",
        f'    print(f"NOT the numbers of {whose}: {{deviation:.1g}} of their size away; {rounding}.")',
    ]


_DISTANCE = [
    "",
    "# Are these the numbers of {whose}? Bits differ between machines, so a few sums are compared.",
    "def distance(values, sums, size):",
    '    """Estimate how far values are from those with these sums of their parts, with signs by chance."""',
    "    values = np.nan_to_num(values.ravel().astype(float), posinf=0, neginf=0)",
    "    signs = 2 * np.random.RandomState(0).randint(2, size=values.size, dtype=np.int8) - 1",
    f"    parts = np.array_split(values * signs, {_PARTS})",
    "    return np.linalg.norm([part.sum() for part in parts] - np.array(sums)) / size",
    "",
    "",
]


def _listed(name: str, numbers: Sequence[float]) -> list[str]:
    wrapped = textwrap.wrap(", ".join(map(repr, numbers)), _WIDTH)
    return [f"{name} = [", *(f"    {line}" for line in wrapped), "]"]
