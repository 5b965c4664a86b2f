"""A walk through the layers as an animated GIF, one frame each."""

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from ..errors import RequestError
from ..maps.colour.scaling import Scale
from ..maps.mosaic import Mosaic, render_mosaic
from ..maps.viewport import PAD
from .album import Sheet

SIDE = 480  # pixels of the square that the maps fit into
HEAD = 44  # pixels above it, for the names
MOST_FRAMES = 120
MILLISECONDS = 700
_PAPER, _INK, _QUIET = (255, 255, 255), (22, 32, 42), (94, 105, 115)
_COLOURS = 256  # in the palette of a GIF's frame


def animation(sheets: Sequence[Sheet], title: str = "") -> bytes:
    """Return a repeating GIF with a frame for each sheet with maps.

    Of more than 120 sheets, evenly chosen ones are shown.

    Raises:
        RequestError: no sheet has maps.
    """
    drawn = [sheet for sheet in sheets if sheet.mosaic]
    if not drawn:
        raise RequestError("none of these layers can be drawn, so there is nothing to animate.")
    chosen = evenly(drawn, MOST_FRAMES)
    frames = [_frame(sheet, f"{place + 1}/{len(chosen)}", title) for place, sheet in enumerate(chosen)]
    file = io.BytesIO()
    frames[0].save(
        file, "GIF", save_all=True, append_images=frames[1:], duration=MILLISECONDS, loop=0, optimize=False
    )
    return file.getvalue()


def evenly(sheets: Sequence[Sheet], most: int) -> list[Sheet]:
    """Return all sheets, or ``most`` at equal distances from first to last."""
    if len(sheets) <= most:
        return list(sheets)
    return [sheets[round(place * (len(sheets) - 1) / (most - 1))] for place in range(most)]


def fitted(picture: Image.Image, side: int = SIDE) -> Image.Image:
    """Fit a picture into a square: at a whole multiple, or shrunk.

    The multiple is the largest that fits; a larger picture is shrunk to means of its pixels.
    """
    times = side // max(picture.size)
    if times:
        return picture.resize((picture.width * times, picture.height * times), Image.Resampling.NEAREST)
    scale = side / max(picture.size)
    size = (max(1, int(picture.width * scale)), max(1, int(picture.height * scale)))
    return picture.resize(size, Image.Resampling.BOX)


def arrangement(count: int, height: int, width: int, side: int = SIDE) -> tuple[int, int]:
    """Return the number of maps to show, and of columns.

    Many are to be shown, and large. Showing all counts for more than their size does; of maps larger than the
    square, one is shown.
    """
    best, weight = (1, 1), 0
    for scale in range(1, side // max(height, width) + 1):
        columns, rows = ((side // scale + PAD) // (length + PAD) for length in (width, height))
        shown = min(count, columns * rows)
        if shown**3 * scale**2 > weight:
            best, weight = (shown, min(shown, columns)), shown**3 * scale**2
    return best


def _frame(sheet: Sheet, place: str, title: str) -> Image.Image:
    canvas = Image.new("RGB", (SIDE, HEAD + SIDE), _PAPER)
    pen = ImageDraw.Draw(canvas)
    pen.fontmode = "1"  # the text takes two colours and leaves the others to the maps
    shown, columns = arrangement(*sheet.maps.shape)
    about = f"{sheet.type} {' x '.join(map(str, sheet.shape[1:]))}"  # the font has no multiplication sign
    about += f" ({shown} maps)" if shown < sheet.channels else ""
    _write(pen, 3, sheet.title, place, 17, _INK)
    _write(pen, 24, about, title, 13, _QUIET)
    if sheet.mosaic:
        maps = Image.open(io.BytesIO(_tiles(sheet.maps[:shown], sheet.mosaic, columns))).convert("RGBA")
        plain = Image.new("RGBA", maps.size, (*_PAPER, 255))
        canvas.paste(fitted(Image.alpha_composite(plain, maps).convert("RGB")), (0, HEAD))
    return _with_palette(canvas)


def _tiles(maps: NDArray[np.float32], drawn: Mosaic, columns: int) -> bytes:
    """A PNG of these maps in the colours of their mosaic."""
    own = isinstance(drawn.vmin, np.ndarray) or isinstance(drawn.vmax, np.ndarray)
    scale: Scale = "channel" if own else (float(drawn.vmin), float(drawn.vmax))
    return render_mosaic(maps, colormap=drawn.colormap, scale=scale, columns=columns).png


def _write(
    pen: ImageDraw.ImageDraw, top: int, left: str, right: str, size: int, ink: tuple[int, int, int]
) -> None:
    """Write a line with a text at each end.

    If the left one is too long, its beginning is cut off.
    """
    font = ImageFont.load_default(size)
    left, right = _in_one_line(left), _in_one_line(right)
    room = SIDE - 10 - pen.textlength(right, font)
    while left and pen.textlength(left, font) > room:
        left = f"..{left.lstrip('.')[1:]}" if len(left) > 3 else ""  # noqa: PLR2004  a letter and its dots
    pen.text((2, top), left, ink, font)
    pen.text((SIDE - 2, top), right, ink, font, anchor="ra")


def _in_one_line(text: str) -> str:
    """Return the text with a space for each unprintable character.

    A layer's name may hold a line's end.
    """
    return "".join(each if each.isprintable() else " " for each in text)


def _with_palette(picture: Image.Image) -> Image.Image:
    """Return the picture with a palette of its exact colours, if possible."""
    packed = np.asarray(picture.convert("RGBA")).view("<u4")[
        ..., 0
    ]  # one number a colour: far quicker to sort
    colours, places = np.unique(packed, return_inverse=True)
    if len(colours) > _COLOURS:
        return picture.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    codes: NDArray[np.uint8] = places.reshape(packed.shape).astype(np.uint8)
    exact = Image.fromarray(codes, "P")
    exact.putpalette(np.ascontiguousarray(colours).view(np.uint8).reshape(-1, 4)[:, :3].tobytes())
    return exact
