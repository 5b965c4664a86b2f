"""viz/script/code_inputs.py: the lines, run on pictures, against the catalogue's own preparation."""

from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import models
from models.nets.signal_preprocessing import SignalPreprocessing
from models.preprocessing import Preprocessing
from models.whole_preprocessing import WholePreprocessing
from models.zoo.torchvision_inputs import ClipPreprocessing, ListPreprocessing, PairPreprocessing
from viz.script.code_inputs import input_lines, is_written_out

FRAME = Preprocessing(38, (32, 32), "bicubic")
KINDS: dict[str, Any] = {
    "the middle": Preprocessing(41, (32, 28), "bilinear"),
    "plain numbers": ListPreprocessing(Preprocessing(36, (36, 36), mean=(0.0,) * 3, std=(1.0,) * 3)),
    "a list": ListPreprocessing(FRAME),
    "a clip": ClipPreprocessing(FRAME, 5),
    "two frames": PairPreprocessing(FRAME),
    "a signal": SignalPreprocessing(64),
    "squeezed": WholePreprocessing(36, (36, 36), "bicubic", squeezed=True),
    "squeezed and cut": WholePreprocessing(41, (36, 30), "bicubic", squeezed=True),
    "borders": WholePreprocessing(37, (37, 37), "lanczos", (0.2, 0.4, 0.6), squeezed=False),
}


def picture(width: int, height: int) -> Image.Image:
    """A picture of noise of this size."""
    return Image.fromarray(np.random.default_rng(width).integers(0, 256, (height, width, 3), dtype=np.uint8))


def by_lines(preprocessing: Any, image: Image.Image) -> tuple[Any, ...]:
    """Return the arguments that the lines make of a picture, without anything of ours."""
    known: dict[str, Any] = {"np": np, "torch": torch, "Image": Image, "image": image}
    exec("\n".join(input_lines(preprocessing, "any")), known)
    arguments: tuple[Any, ...] = known["arguments"]
    return arguments


def assert_alike(made: tuple[Any, ...], wanted: Any) -> None:
    """Bit for bit, in the same structure and in the same order in memory."""
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    assert [type(each) for each in made] == [type(each) for each in wanted]
    for one, other in zip(made, wanted, strict=True):
        pairs = zip(one, other, strict=True) if isinstance(one, list) else [(one, other)]
        for left, right in pairs:
            assert (left.dtype, left.stride()) == (right.dtype, right.stride())
            assert torch.equal(left, right)


@pytest.mark.parametrize("size", [(90, 70), (41, 97), (36, 36), (40, 13)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_lines_prepare_a_picture_as_the_catalogue_does(kind: str, size: tuple[int, int]) -> None:
    """Wide, high and square pictures, larger and smaller than what the model sees."""
    assert is_written_out(KINDS[kind])
    assert_alike(by_lines(KINDS[kind], picture(*size)), KINDS[kind](picture(*size)))


def test_no_model_of_a_library_needs_us_for_its_input() -> None:
    """The preparations of all of torchvision's models and of the included nets, each once."""
    found = {
        models.describe(name).preprocessing
        for family in ("bundled", "torchvision")
        for name in models.names(family)
    }
    assert len(found) > 10
    for preprocessing in found:
        assert_alike(by_lines(preprocessing, picture(80, 60)), preprocessing(picture(80, 60)))


def test_what_a_model_of_ones_own_prepares_itself_is_asked_of_layerglass() -> None:
    """A script cannot know it, and says so."""

    class Odd:
        """Another way to prepare a picture."""

        def describe(self) -> str:
            """Return it in words."""
            return "upside down"

    lines = input_lines(Odd(), "mine")
    assert not is_written_out(Odd())
    assert "only Layerglass" in lines[0]
    assert "models.describe('mine').preprocessing(image)  # upside down" in lines[1]
