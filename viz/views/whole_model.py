"""Questions about a whole model: its layers, pictures seen, and predictions."""

import io
from collections.abc import Hashable
from dataclasses import dataclass, field

from ..answers.model import PredictionChange
from ..engine.task import Answer, Bench, OnePicture, Question
from ..pictures.photo import Photo
from ..profile.rows import LayerRow
from ..request.inspection import Prediction


@dataclass(frozen=True)
class Survey(Question[tuple[LayerRow, ...]]):
    """Every layer and operation of a model, with its shapes.

    One forward pass gave the shapes.
    """

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
class PictureInModel(Question[Answer]):
    """A question about a picture in a model, without a layer."""

    photo: Photo = field(repr=False)
    model: str
    weights: str

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return (self.lane, self.photo.fingerprint, self.model, self.weights)


class Predict(PictureInModel[Prediction]):
    """The most probable classes of a picture."""

    done_by = "views.work.whole_model:prediction"


class Seen(PictureInModel[bytes]):
    """The picture after the model's preprocessing, as PNG."""

    def work(self, bench: Bench) -> bytes:
        """See ``Task``."""
        subject, buffer = bench.loaded(self.model, self.weights).subject, io.BytesIO()
        subject.as_seen(subject.prepare(self.photo.image)).save(buffer, "PNG", compress_level=1)
        return buffer.getvalue()


class Changes(OnePicture[tuple[PredictionChange, ...]]):
    """Effects of the edits on the most probable classes.

    There are none if there are no classes.
    """

    done_by = "views.work.whole_model:changes"

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("changes", *self.wanted.forward.run)
