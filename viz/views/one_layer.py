"""One layer of one picture: its values, and the view drawn from them."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.task import Bench, OnePicture, Shelf
from ..findings.values import LayerValues
from ..request.inspection import LayerView
from .drawing import draw_view
from .model_range import ModelRange


@dataclass(frozen=True)
class View(OnePicture):
    """One layer, ready to be shown.

    ``whole`` records every layer in a pass if that is cheap: the visitor will go on to the neighbours.
    """

    whole: bool = False

    @property
    def key(self) -> Hashable:
        """The request itself."""
        return self.wanted

    def ready(self, bench: Bench) -> bool:
        """A layer that is captured already only needs drawing."""
        scale = self._scale
        measured = scale is None or bench.answered(scale.key) is not None
        return measured and bench.kept(self.wanted) is not None

    def work(self, bench: Bench) -> LayerView:
        """See ``Task``."""
        limits = self._scale.work(bench) if self._scale else None
        return draw_view(bench.captured(self.wanted, self.photo, whole=self.whole), self.wanted, limits)

    @property
    def _scale(self) -> ModelRange | None:
        return ModelRange(self.wanted, self.photo) if self.wanted.scale == "model" else None


@dataclass(frozen=True)
class Values(OnePicture):
    """One layer's arrays, every call of it; kept with the values, not with the answers."""

    shelf: Shelf = "values"

    @property
    def key(self) -> Hashable:
        """One key for all ways of drawing them."""
        return self.wanted.place

    def work(self, bench: Bench) -> LayerValues:
        """See ``Task``."""
        return bench.captured(self.wanted, self.photo, whole=False)
