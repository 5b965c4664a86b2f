"""Wish and settings of an optimised picture, as plain values.

Both can be part of a key.
"""

from dataclasses import dataclass, replace
from typing import Literal

from ..errors import RequestError

WAYS = ("fourier", "maco")
STEPS, MOST_STEPS = 256, 2048
MOST_PICTURES = 4
NEAR = 0.12  # root mean square, on a scale of 0 to 1, of what a photograph may be changed by

Way = Literal["fourier", "maco"]


@dataclass(frozen=True)
class Wish:
    """The unit to excite: a layer's channel, a cell or a direction.

    Channels are those that the page draws.

    Attributes:
        layer: its name; empty for what the model itself returns.
        call: which of its calls, counted from 0.
        channel: which of its channels.
        cell: (row, column) if one cell of the channel is meant, else all of them.
        direction: (channel, weight) pairs, in place of ``channel``: the weighted sum of their means is meant.
        kind: how the layer's value lies: see ``viz.maps.layout``.
    """

    layer: str
    call: int = 0
    channel: int = 0
    cell: tuple[int, int] | None = None
    direction: tuple[tuple[int, float], ...] = ()
    kind: str = "auto"


@dataclass(frozen=True)
class OptimisationSettings:
    """Settings of an optimised picture's making.

    Attributes:
        way: one of ``WAYS``: waves of free magnitude, or of fixed magnitude and free phase.
        steps: how many, of one run of the model each.
        seed: of all that is random: the same one makes the same picture.
        count: how many pictures, which are kept different.
        from_photo: whether to begin with the visitor's picture, and stay near it.
    """

    way: Way = "fourier"
    steps: int = STEPS
    seed: int = 0
    count: int = 1
    from_photo: bool = False


def checked(making: OptimisationSettings) -> OptimisationSettings:
    """Return the settings if they are possible.

    From a photograph only one picture is made.

    Raises:
        RequestError: a number is out of its bounds, or there is no such way.
    """
    if making.way not in WAYS:
        raise RequestError("there is no way {way}: {ways}", way=repr(making.way), ways=", ".join(WAYS))
    if not 1 <= making.steps <= MOST_STEPS:
        raise RequestError(
            "a picture is optimised in 1 to {most} steps, not {steps}.", most=MOST_STEPS, steps=making.steps
        )
    if not 1 <= making.count <= MOST_PICTURES:
        raise RequestError(
            "1 to {most} pictures are optimised at once, not {count}.",
            most=MOST_PICTURES,
            count=making.count,
        )
    if not 0 <= making.seed < 1 << 32:
        raise RequestError(
            "a seed is a number from 0 to {most}, not {seed}.", most=(1 << 32) - 1, seed=making.seed
        )
    return replace(making, count=1) if making.from_photo else making
