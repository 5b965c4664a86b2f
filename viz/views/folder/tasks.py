"""The tasks of a pass over many pictures, and its results."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...engine.task import Question, Shelf
from ...exemplars.looked import Channels
from ..whole_model import PictureInModel

Box = tuple[int, int, int, int]
Cell = tuple[int, int, int]


class PassIdentity(NamedTuple):
    """Identity of a pass: all that counts beside the pictures.

    Attributes:
        weights_sha256: of all numbers that the model keeps, with their names.
        torch: the version of PyTorch.
        device: where the model runs.
        layers: the names of the layers looked at.
    """

    weights_sha256: str
    torch: str
    device: str
    layers: tuple[str, ...]


class PicturePeaks(NamedTuple):
    """Peaks of every channel of all layers on one picture.

    Layers without maps have none. The channels of one call stand behind those of another.

    Attributes:
        calls: the owners of the channels.
        maximum: float32 (channels), the largest number of each; NaN if a number is NaN.
        mean: float32 (channels).
        row: int32 (channels), the maximum's row; likewise ``column``.
        size: (height, width) of the model's input, in pixels.
        seconds: for which the model ran.
    """

    calls: tuple[Channels, ...]
    maximum: NDArray[np.float32]
    mean: NDArray[np.float32]
    row: NDArray[np.int32]
    column: NDArray[np.int32]
    size: tuple[int, int]
    seconds: float


@dataclass(frozen=True)
class Identify(Question[PassIdentity]):
    """Identity of a pass of this model."""

    done_by = "views.work.folder:identity"
    behind = True
    model: str
    weights: str

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return (self.lane, self.model, self.weights)


class PeaksOf(PictureInModel[PicturePeaks]):
    """Peaks of every channel on the picture on screen.

    The answer is kept.
    """

    done_by = "views.work.folder:peaks_of"
    behind = True


class PeaksOfNext(PeaksOf):
    """Peaks on a pass's next picture; the answer is not kept."""

    shelf: Shelf = ""

    @property
    def lane(self) -> str:
        """One lane for each picture: the next one does not replace it."""
        return f"PeaksOfNext {self.photo.fingerprint}"


class SeenSmall(PictureInModel[bytes]):
    """The picture as the model sees it, as JPEG."""

    done_by = "views.work.folder:seen_small"
    shelf: Shelf = ""

    @property
    def lane(self) -> str:
        """One lane for each picture, as a page shows many."""
        return f"SeenSmall {self.photo.fingerprint}"


@dataclass(frozen=True)
class SeenByCells(Question[tuple[Box | None, ...]]):
    """The part of the prepared picture that each cell sees.

    None for all of it, or where it is unknown.

    Attributes:
        photo_size: (width, height) of the pictures, before they are prepared.
        cells: (channel, row, column) of each.
    """

    done_by = "views.work.folder:seen_by_cells"
    photo_size: tuple[int, int]
    model: str
    weights: str
    layer: str
    call: int
    cells: tuple[Cell, ...] = field(repr=False)

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("SeenByCells", self.photo_size, self.model, self.weights, self.layer, self.call, self.cells)
