"""Small pictures of a layer's value, at its hook and later."""

import base64
from dataclasses import dataclass, field

from ..answers.hooks import KeptFacts, MemoryFacts, MomentFacts, Way


@dataclass(frozen=True)
class KeptPicture:
    """Result of one way of keeping a value; see ``viz.profile.memory.KeptValue``."""

    way: Way
    shares_memory: bool
    copied: int
    wrong: float


@dataclass(frozen=True)
class MomentPicture:
    """Contents of a layer's memory from one hook on.

    See ``viz.profile.memory.Moment``.

    Attributes:
        number: that hook's place among all of the pass, from 0.
        writes: the number of operations that have written into it by then.
        changed: the share of its values that differ from those at the layer's hook, 0 to 1.
        blocks: the same for equal parts of the value, in the order of its memory.
        png: one pixel per value if there is room; all pictures of a value are on one scale.
    """

    number: int
    writes: int
    changed: float
    blocks: tuple[float, ...] = field(repr=False)
    png: bytes = field(repr=False)


@dataclass(frozen=True)
class MemoryPictures:
    """A layer's value at its hook and later, however it is kept.

    Attributes:
        layer: the layer's name.
        call: counted from 0.
        shape: the value's shape.
        writes: the number of operations that wrote into its memory after the hook.
        changed: the share of its values that differ after the pass, 0 to 1.
        channels: the channels on the pictures: those that changed most.
        value_bytes: the memory that the value takes.
        moments: the first is the layer's hook, the last holds to the end.
        kept: see ``KeptPicture``.
    """

    layer: str
    call: int
    shape: tuple[int, ...]
    writes: int
    changed: float
    channels: tuple[int, ...]
    value_bytes: int
    moments: tuple[MomentPicture, ...]
    kept: tuple[KeptPicture, ...] = field(repr=False)

    @property
    def bytes(self) -> int:
        """The memory that the pictures take."""
        return sum(len(moment.png) + 8 * len(moment.blocks) for moment in self.moments) + 1000


def memory_facts(pictures: MemoryPictures, written: tuple[str, ...]) -> MemoryFacts:
    """Return the facts of the pictures and the written-over layers."""
    return MemoryFacts(
        layer=pictures.layer,
        call=pictures.call,
        shape=pictures.shape,
        writes=pictures.writes,
        changed=pictures.changed,
        channels=pictures.channels,
        bytes=pictures.value_bytes,
        moments=tuple(_moment_facts(moment) for moment in pictures.moments),
        kept=tuple(_kept_facts(kept) for kept in pictures.kept),
        written=written,
    )


def _kept_facts(kept: KeptPicture) -> KeptFacts:
    return KeptFacts(
        way=kept.way,
        shares=kept.shares_memory,
        copied=kept.copied,
        wrong=kept.wrong,
    )


def _moment_facts(moment: MomentPicture) -> MomentFacts:
    return MomentFacts(
        number=moment.number,
        writes=moment.writes,
        changed=moment.changed,
        blocks=tuple(round(share, 3) for share in moment.blocks),
        png=base64.b64encode(moment.png).decode(),
    )
