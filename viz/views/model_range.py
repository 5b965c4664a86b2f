"""One scale for all layers of a model."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.task import OnePicture
from ..maps.colour.wanted import Range


@dataclass(frozen=True)
class ModelRange(OnePicture[Range]):
    """Task of finding the (smallest, largest) finite value of all layers.

    Every call of each layer counts. It takes a pass in which every layer is recorded, so the answer is kept.
    """

    done_by = "views.work.model_range:model_range"

    @property
    def key(self) -> Hashable:
        """One key for all layers and all ways of drawing them."""
        return ("range", *self.wanted.run, self.wanted.gradient, self.wanted.show == "difference")
