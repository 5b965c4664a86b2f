"""What stages returned for a photo, kept as long as nothing writes into it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch

from ...hooks.functional import Place
from ...hooks.taps import Tap
from .timeline import is_plain


class Kept(NamedTuple):
    """What a layer returned, and how often its memory had been written to."""

    tensor: torch.Tensor
    version: int

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has written into it since."""
        return self.tensor._version == self.version  # noqa: SLF001  (the only way to ask)


class Keeping(Tap):
    """Keeps what the layers return, each of which runs once."""

    needs_inputs = False

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self._found: dict[str, Kept] = {}

    def after(self, name: str, output: Any) -> Any:
        """Keep it."""
        if is_plain(output):
            self._found[name] = Kept(output, output._version)  # noqa: SLF001
        return output

    def found(self) -> dict[str, Kept]:
        """What nothing has written into, now that the pass is over, each in memory of its own."""
        return {name: _own(kept) for name, kept in self._found.items() if kept.is_untouched}


def kept_bytes(kept: Mapping[str, Kept]) -> int:
    """The memory that a photo's stages take."""
    return sum(each.tensor.nbytes for each in kept.values())


def _own(kept: Kept) -> Kept:
    """The same, but not as a part of something larger, all of which it would keep in memory."""
    if kept.tensor.untyped_storage().nbytes() == kept.tensor.nbytes:
        return kept
    copied = kept.tensor.clone()
    return Kept(copied, copied._version)  # noqa: SLF001
