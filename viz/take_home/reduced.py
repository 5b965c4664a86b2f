"""Files of a layer as one picture: pixels, a figure, or numbers."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from safetensors.numpy import save

from ..findings.values import LayerValues
from ..maps.colour.wanted import chosen_colormap
from ..maps.figures import save_figure
from ..maps.layout import Layout
from ..maps.reduction.caption import caption, paragraph
from ..maps.reduction.drawing import reduced_figure, reduced_png
from ..maps.reduction.over_photo import Backdrop, backdrop
from ..maps.reduction.reduce import Reduced, ReductionRequest
from ..pictures.photo import Photo
from ..request.inspection import Inspection
from ..views.drawing import arranged
from ..views.reduced.reduced import reduced
from .card import CARD, NOWHERE, Origin, card_of, in_json
from .exports import title_of


@dataclass(frozen=True, eq=False)
class ReducedPicture:
    """A layer as one picture, with the maps it was made of.

    ``backdrop``: the maps' place on the photo, if wanted.
    """

    values: LayerValues
    layout: Layout
    found: Reduced
    backdrop: Backdrop | None = None


def one_picture(
    values: LayerValues,
    wanted: Inspection,
    reducing: ReductionRequest,
    *,
    photo: Photo | None = None,
    window: Sequence[float] = (),
) -> ReducedPicture:
    """Return one call of a layer as one picture.

    With a photo and its ``window``, it lies over the photo.

    Raises:
        LayoutError: the layer's maps are one for all channels, or have no known places on the photo.
        RequestError: see ``reduce_maps``.
    """
    layout = arranged(values, wanted)
    under = backdrop(photo, window, layout, values.image_size, values.layer) if photo else None
    return ReducedPicture(values, layout, reduced(values, layout, reducing), under)


def export_reduced(
    form: str,
    values: LayerValues,
    wanted: Inspection,
    reducing: Mapping[str, Any],
    *,
    origin: Origin = NOWHERE,
    model: str = "",
) -> bytes:
    """Return the bytes of a figure or of the exact numbers.

    ``reducing`` has the fields of ``ReductionRequest``.

    Raises:
        LayoutError, RequestError: see ``one_picture``.
    """
    one = one_picture(values, wanted, ReductionRequest(**reducing))
    return reduced_file(form, one, wanted, figure=True, origin=origin, model=model)


def reduced_file(
    form: str,
    one: ReducedPicture,
    wanted: Inspection,
    *,
    figure: bool = False,
    origin: Origin = NOWHERE,
    model: str = "",
) -> bytes:
    """Return the file's bytes; ``form`` is a key of ``EXPORTS``.

    A PNG has one pixel per value, unless a figure is wanted, or a photo is under it. Files of numbers have
    ``values``, exact, ``channels`` and ``explained``; over a photo also ``cells`` and ``seen``, the boxes of
    the maps and of the model's input: left, top, right and bottom in pixels of the whole photo.

    Raises:
        RequestError: there is no such colormap.
    """
    if form == "npz":
        return _npz(one, _card(one, wanted, origin))
    if form == "safetensors":
        return save(_arrays(one), metadata={CARD: _card(one, wanted, origin)})
    if form == "png" and not figure and one.backdrop is None:
        return reduced_png(one.found, chosen_colormap(wanted))
    said = caption(one.found, len(one.layout.maps), one.backdrop)
    drawn = reduced_figure(
        one.found,
        title=title_of(one.values, wanted, one.layout, origin, model),
        caption=paragraph(said),
        colormap=chosen_colormap(wanted),
        backdrop=one.backdrop,
    )
    return save_figure(drawn, form)


def _npz(one: ReducedPicture, card: str) -> bytes:
    buffer = io.BytesIO()
    named: dict[str, Any] = {"how": np.array(one.found.how), CARD: np.array(card)}
    np.savez_compressed(buffer, **_arrays(one), **named)
    return buffer.getvalue()


def _arrays(one: ReducedPicture) -> dict[str, Any]:
    found = one.found
    arrays = {
        "values": found.values,
        "channels": np.array(found.channels, np.int64),
        "explained": np.array(found.explained, np.float64),
    }
    if one.backdrop is not None:
        arrays["cells"], arrays["seen"] = np.array(one.backdrop.cells), np.array(one.backdrop.seen)
    return arrays


def _card(one: ReducedPicture, wanted: Inspection, origin: Origin) -> str:
    reduction = {"reduction": one.found.how} | (
        {"place": "{},{}".format(*one.found.at)} if one.found.at else {}
    )
    return in_json(card_of(one.values, wanted, origin) | reduction)
