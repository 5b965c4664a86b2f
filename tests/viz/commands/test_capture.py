"""One layer of one picture, on a tiny net with a layer for every way of being called."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor, nn

from viz.commands.capture import chosen_call, layer_values
from viz.commands.line.subject import activations
from viz.errors import CallError, UnknownLayerError
from viz.findings.values import LayerValues
from viz.hooks.activations import LayerActivations
from viz.pictures.photo import Photo, photograph
from viz.pictures.subject import Subject


class Odd(nn.Module):
    """``twice`` runs twice, ``idle`` never; ``attention.out_proj`` is used by its weight."""

    def __init__(self) -> None:
        super().__init__()
        self.twice = nn.ReLU()
        self.idle = nn.Linear(2, 2)
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(self, images: Tensor) -> Tensor:
        """Return tokens (N, 4, 4) of images (N, 4, 4)."""
        tokens = self.twice(self.twice(images) - 1)
        found: Tensor = self.attention(tokens, tokens, tokens)[0]
        return found


@pytest.fixture
def subject() -> Subject:
    """The odd net; a picture becomes its four by four brightnesses."""
    return Subject(
        Odd(), lambda image: torch.tensor(list(image.tobytes())).view(1, 4, 4) / 255, Image.fromarray
    )


@pytest.fixture
def photo() -> Photo:
    """Sixteen grey pixels, from dark to bright."""
    return photograph(Image.frombytes("L", (4, 4), bytes(range(0, 256, 16))))


def values(subject: Subject, photo: Photo, layer: str) -> LayerValues:
    """Return the layer's values."""
    return layer_values(LayerActivations(subject.module, "cpu"), subject, photo, layer)


def test_a_layer_that_never_runs_is_an_error_that_says_so(subject: Subject, photo: Photo) -> None:
    """The reason is the one that the tree shows."""
    with pytest.raises(CallError, match="idle has no output: the model ran and never called it"):
        values(subject, photo, "idle")


def test_a_layer_used_by_weight_only_is_an_error_that_says_so(subject: Subject, photo: Photo) -> None:
    """An attention's output projection is never called."""
    with pytest.raises(CallError, match="attention gave its weight to multi_head_attention_forward"):
        values(subject, photo, "attention.out_proj")


def test_an_unknown_layer_is_an_error_with_a_suggestion(subject: Subject, photo: Photo) -> None:
    """The model does not run for it."""
    with pytest.raises(UnknownLayerError, match="did you mean twice"):
        values(subject, photo, "twic")


def test_calls_are_counted_from_one(subject: Subject, photo: Photo) -> None:
    """Call 2 is the second, whose values are one less."""
    found = values(subject, photo, "twice")
    first, second = (found.call(chosen_call(found, number))["output"].array for number in (1, 2))
    assert first.max() == pytest.approx(240 / 255)
    assert not second.any()


@pytest.mark.parametrize("number", [None, 0, 3, -1])
def test_a_call_that_is_not_one_of_two_is_an_error(
    subject: Subject, photo: Photo, number: int | None
) -> None:
    """The error says which there are."""
    with pytest.raises(CallError, match=r"ran 2 times: .*--call 1 to --call 2"):
        chosen_call(values(subject, photo, "twice"), number)


def test_the_only_call_need_not_be_named(subject: Subject, photo: Photo) -> None:
    """It may be named, though."""
    found = values(subject, photo, "attention")
    assert chosen_call(found, None) == chosen_call(found, 1) == 0
    with pytest.raises(CallError, match="ran once"):
        chosen_call(found, 2)


class Adding(nn.Module):
    """Adds each picture to those before."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.sum = nn.Identity(), 0

    def forward(self, images: Tensor) -> Tensor:
        """Return images (N, 4, 4)."""
        self.sum = self.sum + images
        found: Tensor = self.layer(self.sum)
        return found


def test_a_net_with_a_state_gives_its_first_pass(subject: Subject, photo: Photo) -> None:
    """The passes before, which find out about layouts, leave nothing behind."""
    adding = replace(subject, module=Adding())
    array = layer_values(activations(adding), adding, photo, "layer").calls[0]["output"].array
    np.testing.assert_array_equal(array, subject.arguments(photo.image)[0].numpy())
