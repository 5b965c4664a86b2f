"""Preprocessing, against torchvision's own."""

from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import models
from models.preprocessing import Preprocessing
from models.shaped_preprocessing import ShapedPreprocessing
from models.whole_preprocessing import WholePreprocessing
from models.zoo.torchvision_inputs import ClipPreprocessing, ListPreprocessing, PairPreprocessing

SIZES = [(500, 375), (375, 500), (232, 232), (64, 48), (1, 1), (300, 299), (3000, 40)]


def photograph(width: int, height: int) -> Image.Image:
    """Return a picture in which every pixel differs from its neighbours."""
    values = np.random.default_rng(width * 10_007 + height).integers(
        0, 256, (height, width, 3), dtype=np.uint8
    )
    return Image.fromarray(values, "RGB")


def equivalents() -> dict[Preprocessing, torch.nn.Module]:
    """Return every kind of preprocessing of torchvision's classifiers, beside torchvision's own."""
    from torchvision.models import get_model_weights

    return {
        models.describe(name).preprocessing: get_model_weights(name).DEFAULT.transforms()
        for name in models.names("torchvision")
        if models.describe(name).task == "classification" and "quantized" not in name
    }


def test_every_preprocessing_equals_torchvisions_bit_for_bit() -> None:
    """All kinds on one upright photograph."""
    picture = photograph(260, 330)
    pairs = equivalents()
    assert len(pairs) > 15
    for ours, theirs in pairs.items():
        assert torch.equal(ours(picture), theirs(picture).unsqueeze(0)), ours.describe()


@pytest.mark.parametrize("size", SIZES)
def test_every_shape_of_picture_equals_torchvisions_bit_for_bit(size: tuple[int, int]) -> None:
    """Landscape, portrait, square, tiny, odd and long pictures."""
    from torchvision.models import ResNet50_Weights

    picture = photograph(*size)
    ours, theirs = models.describe("resnet50").preprocessing, ResNet50_Weights.DEFAULT.transforms()
    assert torch.equal(ours(picture), theirs(picture).unsqueeze(0))


def test_the_result_is_one_float32_picture_of_the_cards_size() -> None:
    """(1, 3, height, width), in one piece of memory."""
    for name in ("lenet", "photonet", "resnet50"):
        card = models.describe(name)
        result = card.preprocessing(photograph(90, 60))
        assert result.shape == (1, 3, *card.input_size)
        assert result.dtype == torch.float32
        assert result.is_contiguous()


@pytest.mark.parametrize("size", [(1, 10_000), (10_000, 1), (100_000, 1)])
def test_an_extremely_long_picture_does_not_become_millions_of_pixels(size: tuple[int, int]) -> None:
    """Resized as a whole, 10,000 by 1 would take 1.6 gigabytes; we only make the crop."""
    picture = Image.new("RGB", size, (255, 0, 0))
    seen = Preprocessing(232, (224, 224)).cropped(picture)
    assert seen.size == (224, 224)
    assert seen.getcolors() == [(224 * 224, (255, 0, 0))]


@pytest.mark.parametrize("flip", [False, True])
def test_the_shortcut_for_long_pictures_shows_what_the_long_way_shows(flip: bool) -> None:
    """Just beyond the limit, against resizing all of it and cropping: at most a rounding apart."""
    picture = photograph(400, 10) if not flip else photograph(10, 400)
    ours = np.asarray(Preprocessing(256, (224, 200)).cropped(picture)).astype(int)
    width, height = (10_240, 256) if not flip else (256, 10_240)
    left, top = (width - 200) // 2, (height - 224) // 2
    whole = picture.resize((width, height), Image.Resampling.BILINEAR)
    expected = np.asarray(whole.crop((left, top, left + 200, top + 224))).astype(int)
    assert np.abs(ours - expected).max() <= 1


def test_what_the_model_saw_is_the_crop_to_the_last_pixel() -> None:
    """Scaling and scaling back loses nothing, on the processor's float32."""
    for name in ("lenet", "photonet", "resnet50", "efficientnet_v2_l"):
        preprocessing = models.describe(name).preprocessing
        picture = photograph(120, 80)
        seen = preprocessing.as_seen(preprocessing(picture))
        assert seen.mode == "RGB"
        assert np.array_equal(np.asarray(seen), np.asarray(preprocessing.cropped(picture)))


def test_what_the_model_saw_can_be_any_row_and_any_value() -> None:
    """Values beyond white and black are clipped; the second row is the second picture."""
    batch = torch.stack([torch.full((3, 4, 4), -1e9), torch.full((3, 4, 4), 1e9)])
    preprocessing = Preprocessing(4, (4, 4))
    assert preprocessing.as_seen(batch).getpixel((0, 0)) == (0, 0, 0)
    assert preprocessing.as_seen(batch, row=1).getpixel((0, 0)) == (255, 255, 255)


def test_levels_become_what_a_picture_becomes_with_a_gradient() -> None:
    """Bit for bit, of all that the model sees; the gradient is 1 / (255 × deviation)."""
    for name in ("lenet", "resnet50", "efficientnet_lite0"):
        preprocessing = models.describe(name).preprocessing
        picture = photograph(120, 80)
        levels = torch.tensor(np.asarray(preprocessing.cropped(picture))).permute(2, 0, 1)[None].float()
        levels.requires_grad_()
        found = preprocessing.scaled(levels)
        assert torch.equal(found, preprocessing(picture))
        (slope,) = torch.autograd.grad(found.sum(), levels)
        expected = 1 / (255 * torch.tensor(preprocessing.std, dtype=torch.float64))
        torch.testing.assert_close(slope[0, :, 0, 0].double(), expected, rtol=1e-6, atol=0)


@pytest.mark.parametrize("size", [(120, 80), (80, 120), (64, 64), (1000, 21)])
@pytest.mark.parametrize(
    "preprocessing",
    [
        *(models.describe(name).preprocessing for name in ("lenet", "resnet50", "efficientnet_b3", "swin_t")),
        WholePreprocessing(9, (9, 8)),
        WholePreprocessing(9, (7, 9), squeezed=False),
        ShapedPreprocessing(9, (9, 6), whole=(12, 9)),
    ],
)
def test_a_picture_around_is_seen_to_the_last_pixel(
    preprocessing: Preprocessing, size: tuple[int, int]
) -> None:
    """Any numbers in the place of the crop; nothing is resized again."""
    photo, (height, width) = photograph(*size), preprocessing.crop
    noise = np.random.default_rng(0).integers(0, 256, (height, width, 3), np.uint8)
    whole = preprocessing.around(Image.fromarray(noise), photo)
    assert np.array_equal(np.asarray(preprocessing.cropped(whole)), noise)
    kept = preprocessing.around(preprocessing.cropped(photo), photo)
    assert np.array_equal(np.asarray(preprocessing.cropped(kept)), np.asarray(preprocessing.cropped(photo)))


def test_levels_become_an_input_of_the_models_type() -> None:
    """In half precision the same numbers as of the picture."""
    preprocessing, picture = ShapedPreprocessing(8, (8, 6), dtype="float16"), photograph(12, 9)
    levels = torch.tensor(np.asarray(preprocessing.cropped(picture))).permute(2, 0, 1)[None].float()
    found = preprocessing.scaled(levels)
    assert found.dtype == torch.float16
    assert torch.equal(found, preprocessing(picture))


def test_other_modes_become_rgb() -> None:
    """A grey picture has three equal channels."""
    seen = Preprocessing(8, (8, 8)).cropped(Image.new("L", (9, 9), 77))
    assert seen.getpixel((4, 4)) == (77, 77, 77)


def test_a_picture_without_pixels_is_refused() -> None:
    """Zero by five pixels cannot be resized."""
    with pytest.raises(models.PictureError, match="nothing to look at"):
        Preprocessing(8, (8, 8))(Image.new("RGB", (0, 5)))


def test_the_description_says_each_step() -> None:
    """Size, crop, interpolation and scaling, in words."""
    said = models.describe("resnet50").preprocessing.describe()
    for part in ("resized to 232", "centre crop 224", "bilinear", "ImageNet mean and deviation"):
        assert part in said
    assert "CIFAR-10" in models.describe("lenet").preprocessing.describe()
    assert "mean 0.1 0.2 0.3" in Preprocessing(8, (8, 8), mean=(0.1, 0.2, 0.3)).describe()


@pytest.mark.parametrize(("resize", "crop"), [(8, (9, 8)), (8, (8, 9)), (8, (0, 4))])
def test_a_crop_that_does_not_fit_is_refused(resize: int, crop: tuple[int, int]) -> None:
    """Otherwise torchvision would pad it, which no visitor expects."""
    with pytest.raises(ValueError, match="does not fit"):
        Preprocessing(resize, crop)


def test_an_unknown_interpolation_is_refused() -> None:
    """The message lists the known ones."""
    with pytest.raises(ValueError, match="bilinear, bicubic"):
        Preprocessing(8, (8, 8), interpolation="cubic")


def test_a_part_of_a_picture_is_prepared_as_torchvision_prepares_its_own_crop() -> None:
    """Torchvision's crop, then torchvision's transforms of every classifier: bit for bit."""
    from torchvision.transforms.v2.functional import crop

    picture, (left, top, width, height) = photograph(260, 330), (31, 17, 140, 150)
    for ours, theirs in equivalents().items():
        part = picture.crop((left, top, left + width, top + height))
        assert torch.equal(ours(part), theirs(crop(picture, top, left, height, width)).unsqueeze(0))


WINDOWS: dict[str, Any] = {
    "a classifier's": Preprocessing(64, (56, 56), "bilinear"),
    "wider than high": Preprocessing(64, (40, 60), "bilinear"),
    "squeezed": WholePreprocessing(64, (64, 64), "bilinear"),
    "squeezed and cut": WholePreprocessing(80, (64, 72), "bilinear"),
    "with borders": WholePreprocessing(64, (64, 64), "bilinear", squeezed=False),
    "a list": ListPreprocessing(Preprocessing(64, (64, 64))),
    "the middle of a clip": ClipPreprocessing(Preprocessing(80, (56, 56)), 5),
    "the first of a pair": PairPreprocessing(Preprocessing(80, (64, 64))),
}


@pytest.mark.parametrize("preparation", WINDOWS.values(), ids=WINDOWS)
@pytest.mark.parametrize("size", [(600, 400), (400, 640), (512, 512)])
def test_the_window_is_the_part_that_is_seen(preparation: Any, size: tuple[int, int]) -> None:
    """A picture whose colours say where each pixel is, and what comes out of it."""
    width, height = size
    places = np.zeros((height, width, 3), np.uint8)
    places[..., 0] = np.linspace(0, 255, width)
    places[..., 1] = np.linspace(0, 255, height)[:, None]
    places[..., 2] = 255
    seen = np.asarray(preparation.as_seen(preparation(Image.fromarray(places)))).astype(float)
    rows, columns = (seen[..., 2] > 250).nonzero()  # not the borders
    left, top, right, bottom = preparation.window(size)
    wide, high = (right - left) / seen.shape[1], (bottom - top) / seen.shape[0]
    for row, column in ((rows.min(), columns.min()), (rows.max(), columns.max())):
        red, green, _ = seen[row, column] / 255
        assert red * width == pytest.approx(left + (column + 0.5) * wide, abs=wide + 4)
        assert green * height == pytest.approx(top + (row + 0.5) * high, abs=high + 4)
