"""Inputs of a model, kept for the latest photos."""

import torch
from PIL import Image

from tests.viz.subjects import Counting, photo, subject
from viz.passes.prepared import PreparedInputs
from viz.pictures.subject import Subject

ONE = 3 * 8 * 8 * 4  # bytes of one picture of 8 × 8 pixels, prepared


class Preparing:
    """Prepares as the tests' subjects do, and says for how many pictures."""

    def __init__(self) -> None:
        self.times, self.plain = 0, subject(Counting())

    def __call__(self, image: Image.Image) -> dict[str, torch.Tensor]:
        """A tensor (1, 3, 8, 8) inside a dict, which is one argument."""
        self.times += 1
        return {"pixels": self.plain.arguments(image)[0]}


def kept(prepare: Preparing, most: int = 10 * ONE) -> PreparedInputs:
    """Inputs of a subject that prepares like this."""
    return PreparedInputs(Subject(Counting(), prepare, lambda _: photo(1).image), most)


def test_a_photo_is_prepared_once_and_the_numbers_are_its_own() -> None:
    """Each photo's, though they are asked for in turn."""
    inputs = kept(prepare := Preparing())
    for number in (1, 2, 1, 2):
        (given,) = inputs.of(photo(number))
        assert torch.equal(given["pixels"], prepare.plain.arguments(photo(number).image)[0])
    assert prepare.times == 2


def test_a_model_that_writes_into_its_input_changes_nobody_elses() -> None:
    """Neither the tensor nor the dict that it is in, not even when the photo has just been prepared."""
    inputs = kept(prepare := Preparing())
    for _ in range(2):
        (given,) = inputs.of(photo(1))
        given["pixels"].zero_()
        given["more"] = torch.ones(1)
    (given,) = inputs.of(photo(1))
    assert [*given] == ["pixels"]
    assert torch.equal(given["pixels"], prepare.plain.arguments(photo(1).image)[0])


def test_what_was_asked_for_last_stays_when_there_is_no_room_for_all() -> None:
    """Two photos have room; the third takes that of the one whose last use is the longest ago."""
    inputs = kept(prepare := Preparing(), 2 * ONE)
    for number in (1, 2, 1, 3, 1):
        inputs.of(photo(number))
    assert prepare.times == 3
    inputs.of(photo(2))
    assert prepare.times == 4
