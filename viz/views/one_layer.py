"""One layer of one picture: its values and its view."""

from collections.abc import Hashable
from dataclasses import dataclass

from ..engine.slices import Sliced
from ..engine.task import Bench, OnePicture, Shelf, needed
from ..findings.values import LayerValues
from ..maps.colour.wanted import Range
from ..request.inspection import LayerView
from .drawing import draw_view
from .model_range import ModelRange


@dataclass(frozen=True)
class View(OnePicture[LayerView]):
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

    def work(self, bench: Bench) -> LayerView | Sliced[LayerView]:
        """See ``Task``; one scale for the whole model is found in slices."""
        return self._drawn(bench) if self._scale is None else self._on_one_scale(self._scale, bench)

    def _on_one_scale(self, scale: ModelRange, bench: Bench) -> Sliced[LayerView]:
        limits = yield from needed(scale, bench)
        return self._drawn(bench, limits)

    def _drawn(self, bench: Bench, limits: Range | None = None) -> LayerView:
        return draw_view(bench.captured(self.wanted, self.photo, whole=self.whole), self.wanted, limits)

    @property
    def _scale(self) -> ModelRange | None:
        return ModelRange(self.wanted, self.photo) if self.wanted.scale == "model" else None


@dataclass(frozen=True)
class Values(OnePicture[LayerValues]):
    """One layer's arrays, every call of it.

    They are kept with the values, not with the answers.
    """

    shelf: Shelf = "values"

    @property
    def key(self) -> Hashable:
        """One key for all ways of drawing them."""
        return self.wanted.place

    def work(self, bench: Bench) -> LayerValues:
        """See ``Task``."""
        return bench.captured(self.wanted, self.photo, whole=False)
