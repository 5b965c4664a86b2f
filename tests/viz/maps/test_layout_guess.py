"""viz/maps/layout_guess.py: shapes of real networks, and shapes made to mislead."""

import pytest

from viz.errors import LayoutError
from viz.maps.layout_guess import guessed_kind, token_grid


@pytest.mark.parametrize(
    ("tokens", "image_size", "grid"),
    [
        (196, None, (0, 14, 14)),
        (197, None, (1, 14, 14)),
        (198, None, (2, 14, 14)),  # DeiT, with a distillation token
        (50, (224, 224), (1, 7, 7)),
        (261, None, (5, 16, 16)),  # a class token and four registers
        (294, (224, 336), (0, 14, 21)),
        (295, (336, 224), (1, 21, 14)),
        (252, (225, 300), (0, 14, 18)),  # patches of 16 that do not divide the sides
        (77, None, None),
        (3, None, None),
        (1, None, None),
        (295, (224, 224), None),
    ],
)
def test_tokens_are_laid_out_in_the_shape_of_the_picture(
    tokens: int, image_size: tuple[int, int] | None, grid: tuple[int, int, int] | None
) -> None:
    """The grid begins after the class and register tokens; without a fit there is none."""
    assert token_grid(tokens, image_size) == grid


@pytest.mark.parametrize("image_size", [(224, 224), (224, 336), (32, 256), (250, 333)])
@pytest.mark.parametrize("patch", [4, 14, 16])
@pytest.mark.parametrize("front", [0, 1, 5])
def test_a_grid_from_a_known_patch_size_is_found_again(
    image_size: tuple[int, int], patch: int, front: int
) -> None:
    """The grid is what a strided convolution without padding makes."""
    height, width = (side // patch for side in image_size)
    found = token_grid(front + height * width, image_size)
    assert found is not None
    assert found[0] + found[1] * found[2] == front + height * width
    if found[0] == front:
        assert found == (front, height, width)


@pytest.mark.parametrize(
    ("shape", "layer_type", "kind"),
    [
        ((), "", "scalar"),
        ((9,), "", "vector"),
        ((2, 1000), "Linear", "vector"),
        ((2, 64, 56, 56), "Conv2d", "maps"),
        ((2, 56, 56, 96), "Conv2d", "maps"),  # 56 channels of 56 by 96
        ((2, 56, 56, 96), "ReLU", "maps"),
        ((2, 56, 56, 96), "SwinTransformerBlock", "channels-last"),
        ((2, 56, 56, 96), "GELU", "channels-last"),
        ((2, 96, 7, 7), "LayerNorm2d", "maps"),
        ((2, 7, 9, 30), "LayerNorm", "channels-last"),
        ((2, 64, 40, 61), "Dropout", "maps"),
        ((2, 512, 1, 1), "AdaptiveAvgPool2d", "maps"),
        ((1, 1, 1, 5), "", "maps"),
        ((2, 12, 50, 50), "MultiheadAttention", "attention"),
        ((2, 4, 65, 65), "Softmax", "attention"),
        ((2, 4, 64, 65), "Softmax", "maps"),
        ((2, 8, 8, 96), "ShiftedWindowAttention", "channels-last"),
        ((2, 50, 50), "MultiheadAttention", "attention"),
        ((2, 196, 768), "EncoderBlock", "table"),
        ((1, 10, 768), "GPT2Block", "table"),
        ((1, 100, 256), "DetrDecoderLayer", "table"),
        ((1, 84, 2100), "Detect", "table"),
        ((2, 77, 512), "Linear", "table"),
        ((197, 1, 768), "", "sequence-first"),
        ((7, 2, 32), "LSTM", "sequence-first"),
        ((1, 49, 32), "GRU", "table"),
        ((2, 16, 100), "Conv1d", "signals"),
        ((1, 10, 2304), "Conv1D", "table"),
        ((16, 30, 40), "MaxPool2d", "maps"),
        ((2, 8, 4, 16, 17), "Conv3d", "volume"),
        ((8, 4, 16, 17), "Conv3d", "volume"),
    ],
)
def test_a_shape_and_a_type_give_a_kind(shape: tuple[int, ...], layer_type: str, kind: str) -> None:
    """Channels first, unless there is evidence."""
    assert guessed_kind(shape, layer_type, None) == kind


def test_the_pictures_shape_tells_where_the_channels_are() -> None:
    """For pictures that are not square."""
    assert guessed_kind((1, 28, 42, 96), "", (224, 336)) == "channels-last"
    assert guessed_kind((1, 96, 28, 42), "", (224, 336)) == "maps"
    assert guessed_kind((1, 28, 28, 42), "", (224, 336)) == "maps"


def test_more_axes_than_a_volume_has_are_refused() -> None:
    """With the shape in the message."""
    with pytest.raises(LayoutError, match="6 axes"):
        guessed_kind((1, 2, 3, 4, 5, 6), "", None)
