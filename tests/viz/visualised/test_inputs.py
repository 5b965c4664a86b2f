"""Inputs made of pictures, found out from a model's own preprocessing."""

import pytest
import torch
from PIL import Image
from torch import nn

from tests.viz.visualised.nets import SIDE, prepare, subject_of
from viz.catalogue import models
from viz.errors import RequestError
from viz.pictures.subject import Subject
from viz.visualised.inputs import inputs_of


def test_what_a_model_is_given_is_what_its_preprocessing_makes() -> None:
    """Of a photograph, there and back."""
    inputs = inputs_of(subject_of(nn.Identity()))
    assert (inputs.size, inputs.colours) == ((SIDE, SIDE), 3)
    photo = Image.effect_noise((SIDE, SIDE), 90).convert("RGB")
    prepared = prepare(photo)
    shown = inputs.pictures((prepared,))
    assert 0 <= float(shown.min()) <= float(shown.max()) <= 1
    torch.testing.assert_close(inputs.given(shown)[0], prepared, atol=1e-5, rtol=0)


@pytest.mark.parametrize(("name", "colours"), [("lenet", 3), ("photonet", 3), ("efficientnet_lite0", 3)])
def test_models_of_the_catalogue_have_their_own_size_and_scale(name: str, colours: int) -> None:
    """Their card knows both."""
    card = models.describe(name)
    preprocessing = card.preprocessing
    inputs = inputs_of(Subject(None, preprocessing, preprocessing.as_seen))
    assert (inputs.size, inputs.colours) == (card.input_size, colours)
    grey = inputs.given(torch.full((1, colours, *inputs.size), 51 / 255))[0]
    torch.testing.assert_close(
        grey, preprocessing(Image.new("RGB", (300, 300), (51, 51, 51))), atol=1e-4, rtol=0
    )


@pytest.mark.parametrize(
    "preparation",
    [
        lambda image: (prepare(image), prepare(image)),
        lambda image: prepare(image)[0],
        lambda image: prepare(image) ** 2,
        lambda image: prepare(image) * torch.linspace(0, 1, SIDE),
        lambda _: torch.zeros(1, 3, SIDE, SIDE),
    ],
)
def test_models_that_take_no_scaled_picture_are_refused(preparation) -> None:  # noqa: ANN001
    """Two pictures, no batch, a curve, what depends on the place, and what is always the same."""
    with pytest.raises(RequestError):
        inputs_of(Subject(nn.Identity(), preparation, lambda _: Image.new("RGB", (1, 1))))
