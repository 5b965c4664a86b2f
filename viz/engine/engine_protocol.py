"""What the page needs of an engine, in this process or in another one."""

from concurrent.futures import Future
from typing import Any, Protocol

from viz.engine.task import Task
from viz.number.closeup import CloseUp, Place
from viz.number.taken_apart import FilterView
from viz.passes.ablation import AblationPart
from viz.passes.comparison import GuessChange
from viz.passes.forward import LayerValues
from viz.pictures.subject import Photo
from viz.profile.tree import LayerRow
from viz.request.inspection import Inspection, LayerView, Prediction
from viz.views.drawing import Range
from viz.views.live import LiveFrame, LiveLayers
from viz.views.overview import Thumbnail


class Engine(Protocol):
    """What the page needs of an engine, wherever it runs. Every answer is a future of plain values."""

    def survey(self, model: str, weights: str, *, visitor: str) -> "Future[tuple[LayerRow, ...]]":
        """Every layer and operation of a model, with the shapes that one forward pass gave."""

    def predict(self, photo: Photo, model: str, weights: str, *, visitor: str) -> "Future[Prediction]":
        """The most probable classes of a picture."""

    def changes(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[tuple[GuessChange, ...]]":
        """What the edits do to the most probable classes; nothing where there are no classes."""

    def ablation(
        self, wanted: Inspection, photo: Photo, channels: range, *, visitor: str
    ) -> "Future[AblationPart]":
        """The class scores with each of these channels of one layer removed in turn, in one batch."""

    def seen(self, photo: Photo, model: str, weights: str, *, visitor: str) -> "Future[bytes]":
        """The picture after the model's preprocessing, as PNG."""

    def view(
        self, wanted: Inspection, photo: Photo, *, visitor: str, urgent: bool = True
    ) -> "Future[LayerView]":
        """One layer, ready to be drawn."""

    def live(
        self, wanted: Inspection, photo: Photo, *, visitor: str, limits: Range | None = None, channel: int = 0
    ) -> "Future[LiveFrame]":
        """One layer of a frame that is looked at once and not kept.

        ``limits`` are those of the model's scale; ``channel`` is the one that is shown large.
        """

    def live_layers(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[LiveLayers]":
        """Every layer of such a frame in small."""

    def values(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[LayerValues]":
        """One layer's arrays, every call of it."""

    def saliency(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[bytes]":
        """How much each pixel counts for the score of the class ``wanted.gradient``, as PNG."""

    def overview(self, wanted: Inspection, photo: Photo, *, visitor: str) -> "Future[tuple[Thumbnail, ...]]":
        """Every layer that ran in small, in execution order."""

    def close_up(
        self, wanted: Inspection, photo: Photo, place: Place, *, visitor: str, channel: int | None = None
    ) -> "Future[CloseUp]":
        """One number of a view: where it comes from, and its arithmetic."""

    def filters(
        self, wanted: Inspection, photo: Photo, channel: int, *, visitor: str
    ) -> "Future[FilterView]":
        """The weights that make one channel of a view."""

    def do(self, task: Task, *, visitor: str, urgent: bool = True) -> "Future[Any]":
        """What comes of a task."""
