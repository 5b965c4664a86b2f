"""Values of another picture in place of a layer's own, against layers called by hand."""

from collections.abc import Callable

import pytest
import torch
from PIL import Image
from torch import Tensor, nn

from viz.errors import EditError
from viz.hooks.activations import LayerActivations
from viz.passes.applied_edits import edited
from viz.passes.donors import Donated, donated, donated_cache
from viz.pictures.own_donors import donor_photo
from viz.pictures.samples import sample
from viz.pictures.subject import Subject
from viz.request.edit_request import edits_from

SIZE = (8, 8)


class Small(nn.Module):
    """A convolution, a ReLU for maps and for sums of tokens, a recurrent layer with its sequence first."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv, self.relu, self.lstm = nn.Conv2d(3, 4, 3), nn.ReLU(), nn.LSTM(4, 5)
        self.passes = 0

    def forward(self, images: Tensor) -> Tensor:
        """Return five scores (1, 5) of images (1, 3, 8, 8)."""
        self.passes += 1
        tokens = self.relu(self.conv(images)).flatten(2).permute(2, 0, 1)
        scores: Tensor = self.relu(self.lstm(tokens)[0].sum(0))
        return scores


def prepare(image: Image.Image) -> Tensor:
    """The input (1, 3, 8, 8) of a picture."""
    colours = torch.tensor(list(image.resize(SIZE).tobytes()), dtype=torch.float32)
    return (colours / 255).reshape(1, *SIZE, 3).permute(0, 3, 1, 2)


@pytest.fixture
def subject() -> Subject:
    """The net with the way to its input."""
    return Subject(Small(), prepare, lambda _: Image.new("RGB", SIZE))


@pytest.fixture
def layers(subject: Subject) -> LayerActivations:
    """The net's layers."""
    return LayerActivations(subject.module, device="cpu")


def given(layers: LayerActivations, subject: Subject, text: str) -> Donated:
    """Return the values donated to these edits, with nothing kept from before."""
    return donated(layers, subject, edits_from(text), donated_cache())


def scores(net: Small, of: str, change: Callable[[Tensor], Tensor]) -> Tensor:
    """The net's scores for a sample whose first maps are changed, by plain calls."""
    with torch.no_grad():
        tokens = change(net.conv(prepare(sample(of)))).relu().flatten(2).permute(2, 0, 1)
        found: Tensor = net.lstm(tokens)[0].sum(0).relu()
    return found


@pytest.mark.parametrize("channels", [(1, 3), ()])
def test_a_swap_puts_another_pictures_channels_in_the_place(
    layers: LayerActivations, subject: Subject, channels: tuple[int, ...]
) -> None:
    """Some or all of them; the other channels stay those of the picture on screen."""
    text = f"conv:swap:{','.join(map(str, channels)) or 'all'}:coffee"
    with edited(layers, edits_from(text), SIZE, given(layers, subject, text)):
        found = layers.run(prepare(sample("cat")))
    other = subject.module.conv(prepare(sample("coffee"))).detach()

    def change(maps: Tensor) -> Tensor:
        maps[:, channels or slice(None)] = other[:, channels or slice(None)]
        return maps

    assert torch.equal(found, scores(subject.module, "cat", change))
    assert not torch.equal(found, scores(subject.module, "cat", lambda maps: maps))


def test_each_call_of_a_reused_layer_gets_the_values_of_its_own_call(
    layers: LayerActivations, subject: Subject
) -> None:
    """Maps in the first, scores in the second; run after run within one block."""
    text = "relu:swap:all:coffee"
    with edited(layers, edits_from(text), SIZE, given(layers, subject, text)):
        found = [layers.run(prepare(sample("cat"))) for _ in range(2)]
    expected = scores(subject.module, "coffee", lambda maps: maps)
    assert [torch.equal(each, expected) for each in found] == [True, True]


def test_one_call_alone_can_be_swapped(layers: LayerActivations, subject: Subject) -> None:
    """The second gets the second's values; the first keeps its own."""
    text = "relu@2:swap:0:coffee"
    with edited(layers, edits_from(text), SIZE, given(layers, subject, text)):
        found = layers.run(prepare(sample("cat")))
    own, other = (scores(subject.module, name, lambda maps: maps) for name in ("cat", "coffee"))
    assert torch.equal(found, torch.cat([other[:, :1], own[:, 1:]], 1))


def test_what_a_layer_is_given_can_be_swapped(layers: LayerActivations, subject: Subject) -> None:
    """The whole input of the first layer is the whole other picture."""
    text = "conv:inputs.swap:all:coffee"
    with edited(layers, edits_from(text), SIZE, given(layers, subject, text)):
        found = layers.run(prepare(sample("cat")))
    assert torch.equal(found, scores(subject.module, "coffee", lambda maps: maps))


def test_a_sequence_that_comes_first_is_swapped_by_channels_as_well(
    layers: LayerActivations, subject: Subject
) -> None:
    """Here it is the recurrent layer's first result, and channel 2 of every step."""
    text = "lstm:swap:2:coffee"
    with (
        edited(layers, edits_from(text), SIZE, given(layers, subject, text)),
        layers.capture("lstm") as record,
    ):
        layers.run(prepare(sample("cat")))
    found = record["lstm"].output[0]
    for name, channels in (("coffee", [2]), ("cat", [0, 1, 3, 4])):
        own = layers.run(prepare(sample(name)), until="lstm")[0]
        assert torch.equal(found[..., channels], own[..., channels])


def test_a_pass_is_made_once_for_each_picture_and_kept_by_its_content(
    layers: LayerActivations, subject: Subject
) -> None:
    """Four swaps from two pictures are two passes, and none when they are asked for again."""
    edits = edits_from("conv:swap:1:cat;conv:swap:2:coffee;relu:swap:all:cat;conv:inputs.swap:0:cat")
    kept = donated_cache()
    first = donated(layers, subject, edits, kept)
    assert subject.module.passes == 2
    again = donated(layers, subject, edits[::-1], kept)
    assert subject.module.passes == 2
    assert [again[edit] for edit in edits] == [first[edit] for edit in edits]
    assert kept.get((donor_photo("cat").fingerprint, "conv", "output", None)) is first[edits[0]]


def test_without_swaps_nothing_is_run(layers: LayerActivations, subject: Subject) -> None:
    """Other kinds need no other picture."""
    assert given(layers, subject, "conv:zero:1;relu:scale:all:2") == {}
    assert subject.module.passes == 0


def test_values_that_do_not_fit_are_refused(layers: LayerActivations, subject: Subject) -> None:
    """For example if the pictures become inputs of different sizes; so is a layer without a record."""
    text = "conv:swap:1:cat"
    donors = given(layers, subject, text)
    with edited(layers, edits_from(text), SIZE, donors), pytest.raises(EditError, match="does not fit"):
        layers.run(torch.rand(1, 3, 9, 9))
    with edited(layers, edits_from(text), SIZE), pytest.raises(EditError, match="nothing was recorded"):
        layers.run(torch.rand(1, 3, 8, 8))
