"""The animated GIF, decoded frame by frame."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from viz.errors import RequestError
from viz.findings.values import LayerValues, Leaf
from viz.maps.mosaic import render_mosaic
from viz.request.inspection import Inspection
from viz.take_home.album import Sheet, sheets_of
from viz.take_home.animation import (
    HEAD,
    MILLISECONDS,
    MOST_FRAMES,
    SIDE,
    animation,
    arrangement,
    evenly,
    fitted,
)


def sheet(seed: int, *shape: int, name: str = "conv") -> Sheet:
    """One layer of noise."""
    array = np.random.default_rng(seed).normal(size=(1, *shape)).astype(np.float32)
    values = LayerValues(name, "Conv2d", "cpu", ({"output": Leaf(array, "float32")},))
    return next(sheets_of(values, Inspection("picture", "net", "random", name)))


def frames(data: bytes) -> list[tuple[np.ndarray, dict[str, Any]]]:
    """Every frame's pixels (height, width, 3) and what the file says about it."""
    with Image.open(io.BytesIO(data)) as picture:
        found = []
        for number in range(getattr(picture, "n_frames", 1)):
            picture.seek(number)
            found.append((np.asarray(picture.convert("RGB")), dict(picture.info)))
        return found


def mosaic_pixels(one: Sheet) -> np.ndarray:
    """The maps that fit, in the sheet's own colours, over white."""
    assert one.mosaic is not None
    shown, columns = arrangement(*one.maps.shape)
    limits = (float(one.mosaic.vmin), float(one.mosaic.vmax))
    mosaic = render_mosaic(one.maps[:shown], colormap=one.mosaic.colormap, scale=limits, columns=columns)
    with Image.open(io.BytesIO(mosaic.png)) as maps:
        white = Image.new("RGBA", maps.size, "white")
        return np.asarray(Image.alpha_composite(white, maps.convert("RGBA")).convert("RGB"))


@pytest.mark.parametrize("name", ["two\nlines", "tab\t", "half \ud800", "\r\n\x00"])
def test_a_name_with_what_cannot_be_shown_is_written_in_one_line(name: str) -> None:
    """As a space each, also in the title; the frame is that of the name with spaces."""
    plain = "".join(each if each.isprintable() else " " for each in name)
    assert animation([sheet(1, 2, 6, 6, name=name)], name) == animation(
        [sheet(1, 2, 6, 6, name=plain)], plain
    )


def test_each_layer_is_a_frame_with_its_maps_enlarged() -> None:
    """Every pixel of every map, at a whole multiple, to within a few levels; the rest is white."""
    sheets = [sheet(1, 4, 10, 10), sheet(2, 6, 7, 5, name="other"), sheet(3, 3, 1, 1, name="fc")]
    found = frames(animation(sheets, "net"))
    assert len(found) == 3
    for (pixels, info), one in zip(found, sheets, strict=True):
        assert pixels.shape == (HEAD + SIDE, SIDE, 3)
        assert (info["duration"], info["loop"]) == (MILLISECONDS, 0)
        maps = mosaic_pixels(one)
        times = SIDE // max(maps.shape[:2])
        expected = maps.repeat(times, axis=0).repeat(times, axis=1).astype(int)
        height, width = expected.shape[:2]
        assert abs(pixels[HEAD : HEAD + height, :width].astype(int) - expected).max() <= 6
        assert (pixels[HEAD + height :] == 255).all()
        assert (pixels[:HEAD] < 128).any()


def test_names_are_written_above_the_maps() -> None:
    """Different ones look different; one that is too long keeps its end, and the frame its size."""
    same = [sheet(1, 2, 4, 4, name=name) for name in ("a", "b", "block." * 40 + "conv")]
    heads = [pixels[:HEAD] for pixels, _ in frames(animation(same))]
    assert (heads[0] != heads[1]).any()
    assert heads[2].shape == (HEAD, SIDE, 3)
    assert (heads[2][:22, -60:] < 128).any()


@pytest.mark.parametrize(
    ("maps", "expected"),
    [
        ((6, 28, 28), (6, 3)),
        ((64, 32, 32), (49, 7)),
        ((64, 56, 56), (64, 8)),
        ((21, 56, 56), (16, 4)),
        ((1, 600, 20), (1, 1)),
    ],
)
def test_frames_show_many_maps_and_large_ones(maps: tuple[int, int, int], expected: tuple[int, int]) -> None:
    """All maps of a small layer, most of a large one, in a square; a map larger than it is shown alone."""
    assert arrangement(*maps) == expected


def test_a_large_picture_is_made_smaller_by_means() -> None:
    """It is never larger than the frame."""
    picture = Image.fromarray(np.random.default_rng(0).integers(0, 256, (960, 480, 3), dtype=np.uint8))
    small = fitted(picture)
    assert small.size == (SIDE // 2, SIDE)
    expected = np.asarray(picture).reshape(SIDE, 2, SIDE // 2, 2, 3).mean((1, 3))
    assert abs(np.asarray(small).astype(float) - expected).max() <= 1


def test_many_layers_are_thinned_out_evenly() -> None:
    """The first and the last one stay."""
    many = [sheet(0, 1, 2, 2, name=str(number)) for number in range(MOST_FRAMES + 60)]
    names = [int(one.layer) for one in evenly(many, MOST_FRAMES)]
    assert (names[0], names[-1], len(names)) == (0, MOST_FRAMES + 59, MOST_FRAMES)
    assert set(np.diff(names).tolist()) <= {1, 2}


def test_layers_without_maps_are_left_out() -> None:
    """If none is left there is no animation, and the message says so."""
    empty = Sheet("none", "Odd", 0, 1, problem="it returned no tensor")
    assert len(frames(animation([empty, sheet(1, 2, 3, 3)]))) == 1
    with pytest.raises(RequestError, match="nothing to animate"):
        animation([empty])
