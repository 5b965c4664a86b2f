"""Requested edits at work, each against the same change written by hand."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from viz.errors import EditError, RequestError, UnknownLayerError
from viz.findings.edit_checks import channel_axis, check_edits
from viz.hooks.activations import LayerActivations
from viz.passes.applied_edits import edited
from viz.profile.tree import survey
from viz.request.edit_request import EditRequest, edits_from

IMAGES = torch.rand(2, 3, 8, 8, generator=torch.Generator().manual_seed(1))


class Small(nn.Module):
    """Convolution, ReLU twice, tokens through a linear layer and a recurrent one, class scores."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv = nn.Conv2d(3, 4, 3)
        self.relu = nn.ReLU()
        self.tokens = nn.Linear(4, 5)
        self.lstm = nn.LSTM(5, 6, batch_first=True)
        self.head = nn.Linear(6, 3)
        self.idle = nn.Identity()

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, 8, 8)."""
        maps = self.relu(self.conv(images))
        tokens = self.relu(self.tokens(maps.flatten(2).transpose(1, 2)))
        scores: Tensor = self.head(self.lstm(tokens)[0].mean(1))
        return scores


@pytest.fixture
def layers() -> LayerActivations:
    """The layers of the small net."""
    return LayerActivations(Small(), device="cpu")


def seen(layers: LayerActivations, text: str, layer: str, call: int = 0) -> Tensor:
    """Return a layer's output with these edits in force; the first tensor of several."""
    with edited(layers, edits_from(text)), layers.capture(layer) as record:
        layers.run(IMAGES)
    output = record[layer][call].output
    return output[0] if isinstance(output, tuple) else output


def kept(channels: list[int], change: Callable[[Tensor], Tensor], axis: int) -> Callable[[Tensor], Tensor]:
    """The change made to these channels alone."""

    def by_hand(value: Tensor) -> Tensor:
        new = value.clone().movedim(axis, 0)
        new[channels] = change(value).movedim(axis, 0)[channels]
        return new.movedim(0, axis)

    return by_hand


@pytest.mark.parametrize(
    ("text", "by_hand"),
    [
        ("conv:zero:1,3", kept([1, 3], torch.zeros_like, 1)),
        ("conv:zero", torch.zeros_like),
        ("conv:scale:2:-0.5", kept([2], lambda maps: maps * -0.5, 1)),
        ("conv:mean:0", kept([0], lambda maps: maps.mean((2, 3), keepdim=True).expand_as(maps), 1)),
        ("conv:clamp:all:0.1", lambda maps: maps.clamp(-0.1, 0.1)),
        ("tokens:zero:4", kept([4], torch.zeros_like, -1)),
        ("tokens:mean:4", kept([4], lambda tokens: tokens.mean(1, keepdim=True).expand_as(tokens), -1)),
        ("lstm:zero:5", kept([5], torch.zeros_like, -1)),
        ("conv:zero:1;conv:scale:all:2", lambda maps: 2 * kept([1], torch.zeros_like, 1)(maps)),
        ("conv:scale:all:2;conv:clamp:all:0.1", lambda maps: (2 * maps).clamp(-0.1, 0.1)),
    ],
)
def test_an_edit_equals_the_same_change_by_hand(
    layers: LayerActivations, text: str, by_hand: Callable[[Tensor], Tensor]
) -> None:
    """Channels are the third axis from the end of maps, and the last one of tokens."""
    layer = text.split(":", maxsplit=1)[0]
    assert torch.equal(seen(layers, text, layer), by_hand(seen(layers, "", layer)))


def test_noise_has_its_deviation_and_depends_on_the_seed(layers: LayerActivations) -> None:
    """The same seed gives the same noise; channels that are not meant get none."""
    plain = seen(layers, "", "conv")
    once, twice, other = (seen(layers, f"conv:noise:0-1:0.3:{seed}", "conv") - plain for seed in (1, 1, 2))
    assert torch.equal(once, twice)
    assert not torch.equal(once, other)
    assert once[:, 2:].eq(0).all()
    assert once[:, :2].std() == pytest.approx(0.3, rel=0.15)


def test_one_call_of_a_reused_layer_can_be_edited_alone(layers: LayerActivations) -> None:
    """Calls are counted from 1 in a link."""
    assert torch.equal(seen(layers, "relu@2:zero", "relu", 0), seen(layers, "", "relu", 0))
    assert seen(layers, "relu@2:zero", "relu", 1).eq(0).all()
    assert seen(layers, "relu:zero", "relu", 0).eq(0).all()


def test_an_edit_of_the_inputs_changes_what_the_layer_computes(layers: LayerActivations) -> None:
    """Without one colour channel the convolution sees only the other two."""
    net, images = layers.model, IMAGES.clone()
    images[:, 1] = 0
    with torch.no_grad():
        assert torch.equal(seen(layers, "conv:inputs.zero:1", "conv"), net.conv(images))


def test_removing_every_channel_is_multiplying_the_output_by_zero(layers: LayerActivations) -> None:
    """In the class scores, bit for bit, for each layer."""
    for layer, count in (("conv", 4), ("relu", 4), ("tokens", 5), ("head", 3)):
        with layers.edit(layer, output=lambda value: value * 0, call=0):
            expected = layers.run(IMAGES)
        with edited(layers, (EditRequest(layer, 0, channels=tuple(range(count))),)):
            assert torch.equal(layers.run(IMAGES), expected)


def test_a_layer_frozen_to_its_mean_may_be_written_over_by_the_next() -> None:
    """The ReLU after every normalisation of a ResNet does that."""
    layers = LayerActivations(nn.Sequential(nn.BatchNorm2d(3), nn.ReLU(inplace=True)), device="cpu")
    with edited(layers, edits_from("0:mean"), (8, 8)):
        found = layers.run(IMAGES)
    means = layers.run(IMAGES, until="0").mean((2, 3), keepdim=True).relu()
    assert torch.equal(found, means.expand_as(IMAGES))


def test_nothing_is_left_when_the_block_has_ended(layers: LayerActivations) -> None:
    """Also when an edit did not fit and the run failed."""
    plain = layers.run(IMAGES)
    with (
        pytest.raises(EditError, match="no channel 4: the layer has 4"),
        edited(layers, edits_from("conv:zero:4")),
    ):
        layers.run(IMAGES)
    assert torch.equal(layers.run(IMAGES), plain)
    assert not any(layer._forward_hooks or layer._forward_pre_hooks for layer in layers.model.modules())


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("cnov:zero:1", UnknownLayerError, "did you mean conv"),
        ("conv:zero:4", EditError, "no channel 4: conv has 4, from 0 to 3"),
        ("tokens:scale:5:2", EditError, "tokens has 5"),
        ("idle:zero:0", RequestError, "idle has no output"),
        ("conv@2:zero:0", RequestError, "runs once, so there is no call 2"),
        ("relu@3:zero:0", RequestError, "runs 2 times, so there is no call 3"),
    ],
)
def test_an_edit_that_cannot_be_made_is_known_before_it_runs(
    layers: LayerActivations, text: str, error: type[Exception], said: str
) -> None:
    """From the survey alone, in one sentence."""
    with pytest.raises(error, match=said):
        check_edits(edits_from(text), survey(layers, IMAGES))


def test_an_operation_is_edited_as_a_layer_is(layers: LayerActivations) -> None:
    """Its channels lie where the page draws them; the survey knows its calls and channels."""
    rows = survey(layers, IMAGES, operations=True)
    plain, zero = seen(layers, "", "› transpose"), kept([3], torch.zeros_like, -1)
    assert torch.equal(
        seen(layers, "%E2%80%BA%20transpose:zero:3", "tokens", 0), layers.model.tokens(zero(plain))
    )
    check_edits((EditRequest("› transpose", channels=(3,)),), rows)
    with pytest.raises(EditError, match="there is no channel 4: › transpose has 4, from 0 to 3"):
        check_edits((EditRequest("› transpose", channels=(4,)),), rows)
    with pytest.raises(RequestError, match="runs once, so there is no call 2"):
        check_edits((EditRequest("› transpose", call=1),), rows)


def test_the_gradient_at_an_operation_is_edited_on_request(layers: LayerActivations) -> None:
    """Doubled behind the transposition, it arrives doubled at the convolution in front of it."""

    def at_conv(text: str) -> Tensor:
        with edited(layers, edits_from(text)), layers.capture("conv", gradients=True) as record:
            layers.run(IMAGES).sum().backward()
        return record["conv"].gradient

    plain = at_conv("")
    assert plain.any()
    for side in ("gradient", "inputs_gradient"):
        torch.testing.assert_close(at_conv(f"%E2%80%BA%20transpose:{side}.scale:all:2"), 2 * plain)


@pytest.mark.parametrize(
    ("shape", "kind", "axis"),
    [
        ((1, 8, 5, 5), "Conv2d", -3),
        ((1, 7, 7, 96), "SwinTransformerBlock", -1),
        ((1, 197, 768), "EncoderBlock", -1),
        ((1, 16, 100), "Conv1d", -2),
        ((1, 8, 4, 5, 5), "Conv3d", -4),
        ((1, 10), "Linear", -1),
    ],
)
def test_channels_are_found_where_the_page_draws_them(shape: tuple[int, ...], kind: str, axis: int) -> None:
    """For maps, channels last, tokens, signals, volumes and vectors."""
    assert channel_axis(shape, kind) == axis


def test_a_single_number_has_no_channels() -> None:
    """There is nothing to choose from."""
    with pytest.raises(EditError, match="no channels"):
        channel_axis((), "Loss")


def test_whole_numbers_are_not_edited() -> None:
    """The error names the layer, and why."""
    layers = LayerActivations(nn.Sequential(nn.Identity()), device="cpu")
    with pytest.raises(EditError, match="int64"), edited(layers, (EditRequest("0"),)):
        layers.run(torch.ones(1, 3, 4, 4, dtype=torch.long))
