"""Jobs of the reading processes, which know neither page nor PyTorch."""

from collections.abc import Iterator
from typing import Any

from PIL import (  # noqa: F401 - imported once, ahead, and not by each process for its one file
    AvifImagePlugin,
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    JpegImagePlugin,
    PngImagePlugin,
    WebPImagePlugin,
)

from ....catalogue import models
from ....pictures.images import read_image

_weights_in = models.own.weights_in  # the same: naming it imports it
STRIP = 1 << 20  # bytes: few enough to be in the processor's cache when the next step reads them


def picture(data: bytearray, longest_side: int | None = None) -> tuple[dict[str, int], int, Iterator[bytes]]:
    """Return a picture's width and height, and its pixels as RGB.

    The size is in pixels; the RGB bytes come row by row.

    Raises:
        ImageError: the file is not a picture that can be read.
    """
    image = read_image(bytes(data), longest_side=longest_side)
    size = {"width": image.width, "height": image.height}
    return size, image.width * image.height * 3, _strips(image)


def weights(data: bytearray) -> tuple[dict[str, Any], int, tuple[bytes]]:
    """Return the places of tensors' numbers in a file of weights.

    See ``models.own.state_table``. Of a folder in a ZIP, also return the bytes that these places are about.

    Raises:
        OwnWeightsError: the file holds no weights that can be read.
    """
    whole = bytes(data)
    table, held = _weights_in(whole)
    body = b"" if held is whole else held
    return table.to_plain(), len(body), (body,)


def _strips(image: Image.Image) -> Iterator[bytes]:
    rows = max(1, STRIP // (3 * image.width))
    for top in range(0, image.height, rows):
        yield image.crop((0, top, image.width, min(image.height, top + rows))).tobytes()
