"""One picture as a list, as a clip and as two frames."""

import numpy as np
import pytest
import torch
from PIL import Image

from models.errors import PictureError
from models.preprocessing import Preprocessing
from models.zoo.torchvision_inputs import ClipPreprocessing, ListPreprocessing, PairPreprocessing

PLAIN = Preprocessing(40, (32, 32), mean=(0.0, 0.0, 0.0), std=(1.0, 1.0, 1.0))


@pytest.fixture
def slope() -> Image.Image:
    """A picture of 40 by 40 pixels whose red is its column, and whose green is its row."""
    down, right = np.mgrid[0:40, 0:40]
    return Image.fromarray(np.stack([right, down, 0 * down], axis=-1).astype(np.uint8))


def corner(frame: torch.Tensor) -> tuple[int, int]:
    """The (row, column) of the picture that the frame (1, 3, H, W) begins with."""
    red, green, _ = (frame[0, :, 0, 0] * 255).round().int().tolist()
    return green, red


def test_a_detector_gets_a_list_of_one_picture(slope: Image.Image) -> None:
    """Without a batch axis, as torchvision's detectors want it, and back again."""
    preprocessing = ListPreprocessing(PLAIN)
    [image] = preprocessing(slope)
    assert image.shape == (3, 32, 32)
    assert torch.equal(image, PLAIN(slope)[0])
    assert preprocessing.as_seen([image]) == PLAIN.cropped(slope)


def test_a_clip_pans_from_the_left_to_the_right(slope: Image.Image) -> None:
    """Five frames over eight pixels: two pixels a frame, at the middle of the height."""
    clip = ClipPreprocessing(PLAIN, frames=5)(slope)
    assert clip.shape == (1, 3, 5, 32, 32)
    assert [corner(clip[:, :, place]) for place in range(5)] == [(4, 0), (4, 2), (4, 4), (4, 6), (4, 8)]


def test_the_frame_in_the_middle_of_a_clip_is_shown(slope: Image.Image) -> None:
    """It is the centre crop, which a model of still pictures would see."""
    preprocessing = ClipPreprocessing(PLAIN, frames=5)
    assert preprocessing.as_seen(preprocessing(slope)) == PLAIN.cropped(slope)


def test_the_second_of_two_frames_is_further_to_the_right(slope: Image.Image) -> None:
    """The distance is exactly what the sentence on the page says."""
    preprocessing = PairPreprocessing(PLAIN)
    first, second = preprocessing(slope)
    assert (corner(first), corner(second)) == ((4, 0), (4, 8))
    assert torch.equal(first[..., 8:], second[..., :-8])
    assert "8 pixels further to the right" in preprocessing.describe()
    assert preprocessing.as_seen((first, second)).getpixel((0, 0)) == (0, 4, 0)


@pytest.mark.parametrize("kind", [ListPreprocessing, ClipPreprocessing, PairPreprocessing])
def test_every_kind_says_what_it_made_of_the_picture(kind: type[ClipPreprocessing]) -> None:
    """One line; the frame's own steps are in it."""
    words = kind(PLAIN).describe()
    assert PLAIN.describe() in words
    assert "\n" not in words


@pytest.mark.parametrize("kind", [ListPreprocessing, ClipPreprocessing, PairPreprocessing])
@pytest.mark.parametrize("size", [(1, 1), (1, 900), (900, 1), (33, 47)])
def test_any_picture_becomes_frames_of_one_size(kind: type[ClipPreprocessing], size: tuple[int, int]) -> None:
    """Also a strip one pixel wide, and a picture in grey."""
    made = kind(PLAIN)(Image.new("L", size, 200))
    frames = made if isinstance(made, list | tuple) else (made,)
    assert all(frame.shape[-2:] == (32, 32) and torch.isfinite(frame).all() for frame in frames)


def test_a_picture_without_pixels_is_refused() -> None:
    """With the same sentence as for any other preprocessing."""
    with pytest.raises(PictureError):
        ClipPreprocessing(PLAIN)(Image.new("RGB", (0, 5)))
