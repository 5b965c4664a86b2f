"""Optimising pictures for a channel: each request goes on for a slice."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...engine.task import Bench, OnePicture, Shelf
from ...request.optimised import OptimisationSettings, Wish


@dataclass(frozen=True)
class OptimisationProgress:
    """Pictures so far, and the layer's response to them.

    Attributes:
        pictures: uint8 (pictures, height, width, colours).
        done: steps so far, of ``total``.
        stuck: whether no picture changes what is wished for, so that no step helps.
        reached: (pictures), what is wished for, on each of them.
        peaks: (pictures, channels), the strongest cell of each channel on each of them.
        own: the channel's strongest cell on the visitor's picture.
    """

    pictures: NDArray[np.uint8] = field(repr=False)
    done: int
    total: int
    stuck: bool
    reached: tuple[float, ...]
    peaks: NDArray[np.float32] = field(repr=False)
    own: float

    @property
    def bytes(self) -> int:
        """The memory that pictures and peaks take."""
        return self.pictures.nbytes + self.peaks.nbytes

    @property
    def finished(self) -> bool:
        """True if no step is left, or none would help."""
        return self.stuck or self.done >= self.total


class SlicedStudy(Protocol):
    """Pictures that are kept between slices, for the queue."""

    @property
    def finished(self) -> bool:
        """True if no step is left."""


@dataclass(frozen=True)
class Optimise(OnePicture[OptimisationProgress]):
    """Task of optimising pictures for a wish, in slices.

    Ask again until the pictures are finished. ``wanted`` names the model; its edits are left out. Between two
    slices, tasks that somebody looks at go first. Once nobody asks, nothing is done. Everyone who asks for
    the same shares the work.
    """

    done_by = "views.work.optimised:in_slices"
    behind = True
    wish: Wish
    making: OptimisationSettings
    shelf: Shelf = ""

    @property
    def key(self) -> Hashable:
        """See ``Task``; the answer also has the response to the visitor's picture."""
        return ("optimised answer", self.wanted.image, *self.study_key)

    @property
    def study_key(self) -> tuple[Hashable, ...]:
        """Key of the kept pictures.

        The visitor's own picture is in it only if they begin with it.
        """
        begun = self.wanted.image if self.making.from_photo else ""
        return ("optimised", self.wanted.model, self.wanted.weights, begun, self.wish, self.making)

    @property
    def own_key(self) -> Hashable:
        """Key of the kept response to the visitor's picture."""
        return ("optimised own", self.wanted.image, *self.study_key)

    def ready(self, bench: Bench) -> bool:
        """Return whether the pictures are finished and measured.

        Then they need no run of the model.
        """
        study: SlicedStudy | None = bench.answered(self.study_key)
        return study is not None and study.finished and bench.answered(self.own_key) is not None
