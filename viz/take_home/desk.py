"""Desk of a figure: titles, panels and file of several layers."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.font_manager import FontProperties, findfont, get_font

from ..errors import RequestError
from ..findings.values import LayerValues
from ..maps.figures import save_figure
from ..maps.reduction.reduce import ReductionRequest
from ..pictures.photo import Photo
from ..request.inspection import Inspection
from .panels import Grid, Panel, PhotoPanel, SheetStyle
from .reduced import one_picture
from .sheet import sheet_figure
from .sheet_caption import caption_of

Window = tuple[float, ...]  # left, top, right and bottom in pixels; empty where no part is known


class SheetFile(NamedTuple):
    """A figure's bytes, and the caption that goes with them."""

    data: bytes
    caption: str


def heads_of(names: Sequence[tuple[str, str]], titles: Sequence[str] = ()) -> list[str]:
    """Return the columns' titles: those given, or what differs.

    ``names``: each column's model and layer.

    Raises:
        RequestError: too few or too many titles, or a title in letters that a figure's font lacks.
    """
    if titles and len(titles) != len(names):
        raise RequestError(
            "--title comes once for each --panel: {titles} titles for {panels}",
            titles=len(titles),
            panels=len(names),
        )
    if titles:
        _check_letters(titles)
        return list(titles)
    models_differ, layers_differ = (len(set(each)) > 1 for each in zip(*names, strict=True))
    if models_differ == layers_differ:
        return [f"{model} · {layer}" for model, layer in names]
    return [model if models_differ else layer for model, layer in names]


def layer_said(layer: str, call: int | None) -> str:
    """Return a layer's name, with its call if one is given."""
    return layer if call is None else f"{layer} (call {call + 1})"


def row_names(names: Sequence[str]) -> list[str]:
    """Return the names beside rows of several pictures; none beside one.

    A name that a figure's font may lack is empty, and stands as a number.
    """
    return [name or f"picture {at}" for at, name in enumerate(names, 1)] if names[1:] else []


def layer_panel(
    head: str,
    what: str,
    values: LayerValues,
    wanted: Inspection,
    reducing: ReductionRequest,
    *,
    photo: Photo | None = None,
    window: Window = (),
) -> Panel:
    """Return a layer as one picture.

    With a photo and its ``window``, it lies over the photo.

    Raises:
        LayoutError, RequestError: see ``one_picture``.
    """
    one = one_picture(values, wanted, reducing, photo=photo, window=window)
    return Panel(head, what, one.found, one.backdrop)


def photo_panel(what: str, photo: Photo, windows: Sequence[Window], *, over: bool) -> PhotoPanel:
    """Return a photo, or the part that all models saw.

    That part stands beside bare maps. ``windows``: one for each column.
    """
    seen = set(windows)
    left, top, right, bottom = map(round, seen.pop() if len(seen) == 1 and all(windows) else (0, 0, 0, 0))
    inside = left >= 0 and top >= 0 and right <= photo.image.width and bottom <= photo.image.height
    if over or right == left or not inside:
        return PhotoPanel("photo", what, photo.image)
    part = photo.image.crop((left, top, right, bottom))
    return PhotoPanel("photo", f"the part of {what} that the models saw", part)


def sheet_file(grid: Grid, style: SheetStyle, form: str, dpi: int) -> SheetFile:
    """Return a figure as a file, with its caption.

    Raises:
        RequestError: see ``sheet_figure``.
    """
    return SheetFile(save_figure(sheet_figure(grid, style), form, dpi), caption_of(grid, style))


def _check_letters(titles: Sequence[str]) -> None:
    """Refuse titles in letters that a figure's font lacks."""
    font = get_font(findfont(FontProperties()))
    for title in titles:
        if lacking := [letter for letter in title if not font.get_char_index(ord(letter))]:
            raise RequestError(
                "a figure's font has no letter {letter}: use others in the title {title}",
                letter=repr(lacking[0]),
                title=repr(title),
            )
