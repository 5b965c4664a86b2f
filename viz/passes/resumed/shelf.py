"""Shelf of stages: of many photos and models, in so many bytes."""

from collections.abc import Hashable, Iterable, Mapping

import torch

from ...cache import ByteCache, Pool


class StageShelf:
    """Shelf that keeps stages, and drops the least useful first.

    That is the one that saves least time for its size. A late stage saves nine tenths of a pass, and often
    takes a tenth of the bytes of an early one. So where a hundred photos have no room for all of their
    stages, each keeps its late ones.

    Many threads may use it at once.

    Args:
        pool: see ``ByteCache``.

    Attributes:
        hits: how often there was a stage to go on from; ``misses`` how often there was none.
    """

    def __init__(self, pool: Pool | int) -> None:
        self._kept = ByteCache[torch.Tensor](pool, lambda output: output.nbytes)
        self.hits = self.misses = 0

    @property
    def limit(self) -> int:
        """See ``ByteCache``."""
        return self._kept.limit

    @property
    def bytes(self) -> int:
        """Bytes that are kept now."""
        return self._kept.bytes

    def of(self, photo: Hashable, names: Iterable[str]) -> Mapping[str, torch.Tensor]:
        """The kept ones among a photo's stages, only to be read."""
        found = {name: self._kept.peek((photo, name)) for name in names}
        return {name: output for name, output in found.items() if output is not None}

    def use(self, photo: Hashable, name: str | None) -> None:
        """Note the stage that a pass goes on from, or None."""
        self.hits, self.misses = self.hits + (name is not None), self.misses + (name is None)
        if name is not None:
            self._kept.use((photo, name))

    def keep(self, photo: Hashable, name: str, output: torch.Tensor, saves: float) -> None:
        """Keep a stage, if it is worth it.

        ``saves`` are the seconds of a pass that are over by then.
        """
        if output.nbytes:
            self._kept.keep((photo, name), output, saves)

    def clear(self) -> None:
        """Keep nothing of it any more."""
        self._kept.clear()
