"""Effects of a layer's channels on the class scores, computed in parts."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.task import OnePicture
from ..findings.ablation_part import AblationPart


@dataclass(frozen=True)
class Ablate(OnePicture[AblationPart]):
    """The class scores with each of these channels removed in turn.

    All are channels of one layer, removed in one batch. Edits of gradients have no effect on it.
    """

    done_by = "views.work.removal:ablate"
    channels: range = range(0)
    behind = True

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return (*self.place, self.channels)

    @property
    def place(self) -> tuple[Hashable, ...]:
        """Key of the kept plan for the layer."""
        wanted = self.wanted.forward
        return ("ablation", *wanted.run, wanted.layer, wanted.call)
