"""Sample pictures without a download: photographs and patterns.

Photographs are in the scikit-image package, and patterns are drawn here.
"""

from collections.abc import Callable
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..errors import RequestError
from ..sentences import Sentence
from .images import read_image

_SIDE = 224
Pixels = NDArray[np.float64]


class _Photograph(NamedTuple):
    title: str
    file: str


class _Pattern(NamedTuple):
    title: str
    draw: Callable[[Pixels, Pixels], Pixels]


def sample_names() -> tuple[str, ...]:
    """The names of all sample pictures, photographs first.

    >>> lg.sample_names()[:3]
    ('cat', 'astronaut', 'coffee')
    """
    return tuple(_SAMPLES)


def sample_title(name: str) -> str:
    """Return a sample picture's title, in a few English words.

    Raises:
        RequestError: there is no such sample.
    """
    return _sample(name).title


@lru_cache(maxsize=32)
def sample_bytes(name: str) -> bytes:
    """The PNG or JPEG file of a sample picture.

    It always has the same bytes.

    Raises:
        RequestError: there is no such sample.
    """
    sample = _sample(name)
    if isinstance(sample, _Photograph):
        return (files("skimage") / "data" / sample.file).read_bytes()
    down, right = np.mgrid[0:_SIDE, 0:_SIDE].astype(np.float64)
    brightness = np.clip(np.rint(sample.draw(right, down) * 255), 0, 255).astype(np.uint8)
    written = BytesIO()
    Image.fromarray(brightness).save(written, "PNG")
    return written.getvalue()


def sample_file(name: str) -> str:
    """The file name of a photograph in scikit-image's data.

    It is empty for a pattern that is drawn here.

    Raises:
        RequestError: there is no such sample.
    """
    found = _sample(name)
    return found.file if isinstance(found, _Photograph) else ""


def sample(name: str) -> Image.Image:
    """A sample picture in RGB, read as an upload would be.

    Raises:
        RequestError: there is no such sample.

    >>> lg.sample("cat").mode
    'RGB'
    """
    return read_image(sample_bytes(name))


def _sample(name: str) -> _Photograph | _Pattern:
    if name not in _SAMPLES:
        near = get_close_matches(str(name), _SAMPLES, n=3) or list(_SAMPLES)
        raise RequestError(
            "no sample picture named {name}; there are: {names}", name=repr(name), names=", ".join(near)
        )
    return _SAMPLES[name]


def _gratings(right: Pixels, down: Pixels) -> Pixels:
    """Gratings of four orientations by four periods.

    Columns are 0, 45, 90 and 135 degrees; rows are 28, 14, 7 and 3.5 pixels.
    """
    tile = _SIDE // 4
    diagonal = np.sqrt(0.5)
    turn = (right // tile).astype(np.intp)
    period = 28 / 2 ** (down // tile)
    across = np.array([1, diagonal, 0, -diagonal])[turn], np.array([0, diagonal, 1, diagonal])[turn]
    along: Pixels = (right % tile) * across[0] + (down % tile) * across[1]
    return 0.5 + 0.5 * np.sin(2 * np.pi * along / period)


def _zone_plate(right: Pixels, down: Pixels) -> Pixels:
    """Rings whose frequency grows from the middle to the edge.

    It grows from zero to half a cycle per pixel at the nearest edge.
    """
    centre = (_SIDE - 1) / 2
    squared = (right - centre) ** 2 + (down - centre) ** 2
    return 0.5 + 0.5 * np.cos(np.pi * squared / _SIDE)


def _checkerboard(right: Pixels, down: Pixels) -> Pixels:
    return (right // 28 + down // 28) % 2


def _step_edge(right: Pixels, down: Pixels) -> Pixels:
    """A leaning edge, dark on the left and bright on the right.

    As it leans, it crosses pixels at all phases.
    """
    centre = (_SIDE - 1) / 2
    return np.where(right - centre > (down - centre) / 8, 0.9, 0.1)


def _dot(right: Pixels, down: Pixels) -> Pixels:
    """One bright square of 4 by 4 pixels.

    A layer's response to it shows the layer's field of view.
    """
    return np.where((right // 4 == _SIDE // 8) & (down // 4 == _SIDE // 8), 1.0, 0.0)


def _wave(heights: Callable[[Pixels], Pixels]) -> Callable[[Pixels, Pixels], Pixels]:
    """Seven cycles of a waveform as brightness from left to right.

    It is for nets that read signals.
    """
    return lambda right, _: 0.5 + 0.45 * heights((right + 0.5) * 7 / _SIDE)


def _square(cycles: Pixels) -> Pixels:
    return np.where(np.floor(2 * cycles) % 2, -1.0, 1.0)


def _chirp(cycles: Pixels) -> Pixels:
    """A sine whose frequency rises from left to right.

    It goes from half that of the others to more than three times theirs.
    """
    return np.asarray(np.sin(2 * np.pi * cycles * (0.5 + cycles / 5)))


def _noise(cycles: Pixels) -> Pixels:
    heights = np.random.default_rng(0).normal(0, 0.4, _SIDE).clip(-1, 1)
    return heights[(cycles * _SIDE / 7).astype(np.intp)]


_SAMPLES: dict[str, _Photograph | _Pattern] = {
    "cat": _Photograph(Sentence("A cat"), "chelsea.png"),
    "astronaut": _Photograph(Sentence("An astronaut"), "astronaut.png"),
    "coffee": _Photograph(Sentence("A cup of coffee"), "coffee.png"),
    "rocket": _Photograph(Sentence("A rocket launch"), "rocket.jpg"),
    "camera": _Photograph(Sentence("A man with a camera, greyscale"), "camera.png"),
    "coins": _Photograph(Sentence("Coins, greyscale"), "coins.png"),
    "brick": _Photograph(Sentence("A brick wall, greyscale"), "brick.png"),
    "grass": _Photograph(Sentence("Grass, greyscale"), "grass.png"),
    "gratings": _Pattern(Sentence("Test pattern: gratings of four orientations"), _gratings),
    "zone_plate": _Pattern(Sentence("Test pattern: zone plate"), _zone_plate),
    "checkerboard": _Pattern(Sentence("Test pattern: checkerboard"), _checkerboard),
    "step_edge": _Pattern(Sentence("Test pattern: step edge"), _step_edge),
    "dot": _Pattern(Sentence("Test pattern: a single dot"), _dot),
    "sine": _Pattern(Sentence("Waveform: sine"), _wave(lambda cycles: np.sin(2 * np.pi * cycles))),
    "square": _Pattern(Sentence("Waveform: square"), _wave(_square)),
    "sawtooth": _Pattern(Sentence("Waveform: sawtooth"), _wave(lambda cycles: 2 * (cycles % 1) - 1)),
    "triangle": _Pattern(
        Sentence("Waveform: triangle"), _wave(lambda cycles: 4 * np.abs(cycles % 1 - 0.5) - 1)
    ),
    "chirp": _Pattern(Sentence("Waveform: chirp"), _wave(_chirp)),
    "noise": _Pattern(Sentence("Waveform: noise"), _wave(_noise)),
}
