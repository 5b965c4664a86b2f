"""Streams: how the channels of one layer reach another one."""

from dataclasses import dataclass

Key = tuple[str, int]
"""A layer's name, and which of its calls, from 0."""

PICTURE: Key = ("", 0)
"""Beginning of the streams of the picture's own channels."""
NOTHING, MIXED = -1, -2
"""Marks of a channel that holds nothing of the layer, or several of its channels in one."""


@dataclass(frozen=True)
class Stream:
    """Channels on their way from one layer's output to another layer.

    Attributes:
        layer: the other end: of a stream that comes in, where it begins; of one that goes out, where it ends.
        call: which of its calls, from 0.
        channels: for each channel of what the later layer is given, which channel of the earlier one stands
            there, or ``NOTHING``, or ``MIXED``.
        steps: the layers and operations that it passed, in order, such as ``layer1.0.bn1``.
    """

    layer: str
    call: int
    channels: tuple[int, ...]
    steps: tuple[str, ...]

    @property
    def apart(self) -> bool:
        """True if any of the earlier layer's channels stands alone."""
        return any(channel >= 0 for channel in self.channels)

    def places(self, channel: int) -> tuple[int, ...]:
        """Return the positions of an earlier channel in the later input."""
        return tuple(place for place, there in enumerate(self.channels) if there == channel)


@dataclass(frozen=True)
class Streams:
    """Streams into one call of a layer, and out of it.

    The first are sorted by the latest beginning, the others in running order. Of a layer without weights of
    its own, the first are those of what it returns.
    """

    into: tuple[Stream, ...] = ()
    out: tuple[Stream, ...] = ()
