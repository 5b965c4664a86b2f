"""Attribution of a class on the picture, as far as known."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...engine.task import Bench, OnePicture, Shelf
from ...pictures.photo import Photo
from ...profile.rows import LayerCall
from ...request.arrangement import Lattice
from ...request.inspection import Inspection
from ...request.method import Method, study_key


@dataclass(frozen=True)
class Explanation:
    """Attribution of a class, one number for each place.

    Attributes:
        values: (height, width): of the model's input, or of a layer's maps.
        size: (height, width) of the model's input.
        lattice: the centres of a layer's cells on it; None if these are not known, and for pixels.
        done: steps so far, of ``total``.
        rise: of a method whose values add up, their sum as it should be: the rise of the score from the
            baseline to the picture; of an occlusion the score itself; else None.
        gap: the sum of the values minus ``rise``, of methods whose values add up, once it is known.
        reached: of Grad-CAM, whether the score's gradient arrives at the layer's places.
    """

    values: NDArray[np.float32] = field(repr=False)
    size: tuple[int, int]
    done: int = 1
    total: int = 1
    rise: float | None = None
    gap: float | None = None
    lattice: Lattice | None = None
    reached: bool = True

    @property
    def bytes(self) -> int:
        """The memory that the values take."""
        return self.values.nbytes


@dataclass(frozen=True)
class ClassLayer(OnePicture[LayerCall]):
    """A layer's call in which the class ``wanted.gradient`` is looked for.

    The answer has no layer's name if there is no such call.
    """

    done_by = "views.work.explain:class_layer_of"

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("class layer", *self.wanted.run, self.wanted.gradient)


def explaining(wanted: Inspection, photo: Photo, method: Method) -> "Explain":
    """The task that answers for a method of attribution.

    ``wanted`` has the class and, for some methods, the layer.
    """
    kind = ExplainInSlices if method.kind.sliced else Explain
    return kind(wanted, photo, method)


class SlicedStudy(Protocol):
    """A study that is kept as an answer, for the queue."""

    @property
    def finished(self) -> bool:
        """True if no step is left."""


@dataclass(frozen=True)
class Explain(OnePicture[Explanation]):
    """Attribution of the class ``wanted.gradient``, by a method of one pass."""

    done_by = "views.work.explain:at_once"
    method: Method
    shelf: Shelf = ""

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return study_key(self.method, self.wanted)

    def ready(self, bench: Bench) -> bool:
        """Return whether the answer only needs drawing.

        Grad-CAM of a layer whose gradients are known only needs drawing; so does a kept answer.
        """
        if self.method.name == "grad-cam":
            return bench.kept(self.wanted) is not None
        return bench.answered(self.key) is not None


@dataclass(frozen=True)
class ExplainInSlices(Explain):
    """The same by a method of many runs, in slices.

    Ask again until ``done`` is ``total``. Between two slices, tasks that somebody looks at go first.
    """

    done_by = "views.work.explain:in_slices"
    behind = True

    def ready(self, bench: Bench) -> bool:
        """A study that has come to its end is only drawn."""
        study: SlicedStudy | None = bench.answered(self.key)
        return study is not None and study.finished
