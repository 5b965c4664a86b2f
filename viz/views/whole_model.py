"""Questions about a model as a whole: its layers, what it sees, and what it predicts for a picture."""

import io
from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from ..answers.model import PredictionChange
from ..engine.task import Bench, OnePicture, Question
from ..findings.edit_effects import prediction_changes
from ..passes.forward import predict, probabilities
from ..pictures.photo import Photo
from ..profile.rows import LayerRow
from ..request.inspection import Prediction


@dataclass(frozen=True)
class Survey(Question):
    """Every layer and operation of a model, with the shapes that one forward pass gave."""

    model: str
    weights: str

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("survey", self.model, self.weights)

    def work(self, bench: Bench) -> tuple[LayerRow, ...]:
        """See ``Task``."""
        return bench.loaded(self.model, self.weights).rows


@dataclass(frozen=True)
class PictureInModel(Question):
    """A question about a picture in a model, whatever layer is on screen."""

    photo: Photo = field(repr=False)
    model: str
    weights: str

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return (self.lane, self.photo.fingerprint, self.model, self.weights)


class Predict(PictureInModel):
    """The most probable classes of a picture."""

    def work(self, bench: Bench) -> Prediction:
        """See ``Task``."""
        loaded = bench.loaded(self.model, self.weights)
        return predict(loaded.layers, loaded.subject, self.photo)


class Seen(PictureInModel):
    """The picture after the model's preprocessing, as PNG."""

    def work(self, bench: Bench) -> bytes:
        """See ``Task``."""
        subject, buffer = bench.loaded(self.model, self.weights).subject, io.BytesIO()
        subject.as_seen(subject.prepare(self.photo.image)).save(buffer, "PNG", compress_level=1)
        return buffer.getvalue()


class Changes(OnePicture):
    """What the edits do to the most probable classes; nothing if there are no classes."""

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("changes", *self.wanted.forward.run)

    def work(self, bench: Bench) -> tuple[PredictionChange, ...]:
        """See ``Task``."""
        loaded = bench.loaded(self.wanted.model, self.wanted.weights)
        with loaded.as_wanted(replace(self.wanted, show="before").forward, self.photo):
            before = probabilities(loaded.layers, loaded.subject, self.photo)
        with loaded.as_wanted(self.wanted.forward, self.photo):
            after = probabilities(loaded.layers, loaded.subject, self.photo)
        if before is None or after is None:
            return ()
        return prediction_changes(before, after, loaded.subject.classes)
