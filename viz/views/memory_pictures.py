"""What became of a layer's value, as small pictures on one scale: at the hook, after the pass, and kept."""

import base64
from dataclasses import dataclass, field

from ..answers.hooks import KeptFacts, MemoryFacts, Way


@dataclass(frozen=True)
class KeptPicture:
    """What one way of keeping a value holds in the end; see ``viz.profile.memory.KeptValue``."""

    way: Way
    shares_memory: bool
    copied: int
    wrong: float
    png: bytes = field(repr=False)


@dataclass(frozen=True)
class MemoryPictures:
    """A layer's value at its hook, the same memory after the pass, and what each way of keeping it kept.

    Attributes:
        layer: the layer's name.
        call: which call, counted from 0.
        shape: the value's shape.
        writes: how many operations wrote into its memory after the hook.
        changed: the share of its values that differ after the pass, 0 to 1.
        channels: the channels on the pictures: those that changed most.
        at_hook: PNG, one pixel per value if there is room; all pictures here are like this, and on one scale.
        after: PNG.
        kept: see ``KeptPicture``.
    """

    layer: str
    call: int
    shape: tuple[int, ...]
    writes: int
    changed: float
    channels: tuple[int, ...]
    at_hook: bytes = field(repr=False)
    after: bytes = field(repr=False)
    kept: tuple[KeptPicture, ...] = field(repr=False)

    @property
    def bytes(self) -> int:
        """The memory that the pictures take."""
        return len(self.at_hook) + len(self.after) + sum(len(kept.png) for kept in self.kept) + 1000


def memory_facts(pictures: MemoryPictures, written: tuple[str, ...]) -> MemoryFacts:
    """Return what the browser needs to show them, beside the names of all layers that are written over."""
    return MemoryFacts(
        layer=pictures.layer,
        call=pictures.call,
        shape=pictures.shape,
        writes=pictures.writes,
        changed=pictures.changed,
        channels=pictures.channels,
        at_hook=_text(pictures.at_hook),
        after=_text(pictures.after),
        kept=tuple(_kept_facts(kept) for kept in pictures.kept),
        written=written,
    )


def _kept_facts(kept: KeptPicture) -> KeptFacts:
    return KeptFacts(
        way=kept.way,
        png=_text(kept.png),
        shares=kept.shares_memory,
        copied=kept.copied,
        wrong=kept.wrong,
    )


def _text(png: bytes) -> str:
    return base64.b64encode(png).decode()
