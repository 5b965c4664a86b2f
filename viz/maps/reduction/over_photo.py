"""Place of a layer's maps on the whole photo, in its pixels."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from ...errors import LayoutError
from ...pictures.photo import Photo
from ..layout import Layout

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels; the first pixel reaches from 0 to 1."""


@dataclass(frozen=True)
class Backdrop:
    """The whole upright photo under a layer's maps.

    Attributes:
        image: the photo.
        seen: the part that the model saw; it reaches beyond the photo where borders were added.
        cells: the part that the maps' cells cover, each centred where its receptive field is.
    """

    image: Image.Image
    seen: Box
    cells: Box


def backdrop(
    photo: Photo, window: Sequence[float], layout: Layout, size: tuple[int, int] | None, layer: str
) -> Backdrop:
    """Return where maps lie on the whole photo.

    Args:
        photo: the picture that was prepared for the model, or a part of it.
        window: the part of ``photo`` that the model sees: left, top, right and bottom in its pixels.
        layout: the maps.
        size: (height, width) of the model's input.
        layer: what the layer is called, for the error.

    Raises:
        LayoutError: it is not known where the maps' cells are centred on the photo, or the model saw several
            pictures.
    """
    if layout.lattice is None or size is None or not layout.leads_across:
        raise LayoutError(
            "{layer} cannot be laid over the photo: it is not known that rows and columns of what it returns "
            "are rows and columns of the photo",
            layer=layer,
        )
    if layout.slices > 1 or layout.rows > 1:
        raise LayoutError(
            "{layer} cannot be laid over the photo: it returns values for several pictures, which show other "
            "parts of it",
            layer=layer,
        )
    left, top, right, bottom = _on_the_whole(photo, window)
    above, before, high, wide = layout.lattice.covered(_cells(layout), size)
    first, highest = left + before * (right - left), top + above * (bottom - top)
    cells = (first, highest, first + wide * (right - left), highest + high * (bottom - top))
    return Backdrop(photo.original.image, (left, top, right, bottom), cells)


def _on_the_whole(photo: Photo, window: Sequence[float]) -> Box:
    across, down = (photo.crop.left, photo.crop.top) if photo.crop else (0, 0)
    left, top, right, bottom = window
    return left + across, top + down, right + across, bottom + down


def _cells(layout: Layout) -> tuple[int, int]:
    _, rows, columns = layout.maps.shape
    return rows, columns
