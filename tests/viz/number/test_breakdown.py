import dataclasses
import json

import pytest
import torch
from torch import nn
from torchvision.models import VisionTransformer

from tests.viz.nets import Reused
from viz import LayerActivations
from viz.errors import CallError, RequestError
from viz.number.breakdown import break_down
from viz.receptive import receptive_fields
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.sentences import Sentence


def _wanted(layer: str, **more: object) -> Inspection:
    return Inspection("", "net", "random", layer, **more)  # type: ignore[arg-type]


def test_a_place_in_the_maps_is_followed_back_to_the_picture_and_taken_apart() -> None:
    """The second call of a reused ReLU: its number, its box and its arithmetic belong together."""
    net = Reused()
    net.conv2 = nn.Conv2d(3, 3, 3, padding=1)
    layers, images = LayerActivations(net, "cpu"), torch.rand(1, 3, 8, 8)
    with layers.capture("relu") as record:
        layers.run(images)
    found = break_down(layers, (images,), _wanted("relu", call=1), (2, 0, 5))
    assert found.cell == (0, 2, 0, 5)
    assert found.explanation.value == float(record["relu"][1].output[found.cell])
    assert found.explanation.agrees
    assert (found.field.top, found.field.left, found.field.bottom, found.field.right) == (0, 4, 2, 7)
    assert json.dumps(dataclasses.asdict(found))


def test_a_channel_that_the_cell_does_not_see_gives_way_to_the_one_that_counts_most() -> None:
    """Another group's, or one that there is not: a link may say any."""
    net = nn.Sequential(nn.Conv2d(4, 4, 3, groups=2))
    layers, images = LayerActivations(net, "cpu"), torch.rand(1, 4, 8, 8)
    usual = break_down(layers, (images,), _wanted("0"), (3, 1, 1))
    assert usual.explanation.patch is not None
    for channel in (1, 4, 99_999):
        assert break_down(layers, (images,), _wanted("0"), (3, 1, 1), channel=channel) == usual
    other = 5 - usual.explanation.patch.channel  # of the channels 2 and 3
    seen = break_down(layers, (images,), _wanted("0"), (3, 1, 1), channel=other).explanation.patch
    assert seen is not None
    assert seen.channel == other


def test_tokens_and_known_fields_lead_to_the_same_cell() -> None:
    """A place on the grid of tokens, and the fields computed once for all pictures."""
    net = nn.Sequential(
        nn.Conv2d(3, 6, 4, stride=4), nn.Flatten(2), nn.Unflatten(1, (6, 1)), nn.Flatten(1, 2)
    )
    net.append(nn.Linear(16, 5))
    layers, images = LayerActivations(net, "cpu"), torch.rand(1, 3, 16, 16)
    fields = receptive_fields(layers, images, "4")
    wanted = _wanted("4", kind="table")
    found = break_down(layers, (images,), wanted, (0, 2, 3), fields=fields)
    assert found == break_down(layers, (images,), wanted, (0, 2, 3))
    assert found.cell == (0, 2, 3)
    assert found.field.cause == "linear"
    assert found.explanation.kind == "linear"


def test_a_number_of_an_operation_is_taken_apart_as_that_of_a_layer() -> None:
    """The addition in the model's own code: its operands are what the two layers returned."""
    net = Reused()
    net.conv2 = nn.Conv2d(3, 3, 3, padding=1)
    layers, images = LayerActivations(net, "cpu"), torch.rand(1, 3, 8, 8)
    found = break_down(layers, (images,), _wanted("› add"), (1, 4, 5))
    with torch.no_grad():
        left = net.relu(net.conv1(images))
        right = net.relu(net.conv2(left))
    at = (0, 1, 4, 5)
    assert found.cell == at
    assert found.explanation.numbers == (("input 0", float(left[at])), ("input 1", float(right[at])))
    assert found.explanation.value == float((left + right)[at])
    assert found.explanation.agrees
    assert (found.field.top, found.field.left, found.field.bottom, found.field.right) == (3, 4, 6, 7)


def test_a_weight_of_fused_attention_is_taken_apart_as_a_share_of_its_scores() -> None:
    """Of torch's own attention: the second head, how much token 3 takes from token 5."""
    net = VisionTransformer(32, 8, 1, 2, 8, 16).eval()
    layers, images = LayerActivations(net, "cpu"), torch.rand(1, 3, 32, 32)
    name = "encoder.layers.encoder_layer_0.self_attention"
    found = break_down(layers, (images,), _wanted(f"{name} › softmax", kind="attention"), (1, 3, 5))
    with layers.capture(name, inputs=True) as record:
        layers.run(images)
    given, layer = record[name].inputs[0], net.get_submodule(name)
    with torch.no_grad():
        _, weights = layer(given, given, given, average_attn_weights=False)
    assert (found.cell, found.explanation.kind) == ((0, 1, 3, 5), "softmax")
    assert found.explanation.value == pytest.approx(float(weights[0, 1, 3, 5]), rel=1e-5)
    assert found.explanation.agrees


def test_what_cannot_be_taken_apart_is_refused_in_a_sentence() -> None:
    """Inputs, calls and places that are not there, unknown leaves."""
    layers, images = LayerActivations(Reused(), "cpu"), torch.rand(1, 3, 8, 8)
    for wanted in (_wanted("relu", leaf="inputs[0]"), _wanted("relu", leaf="output[1]")):
        with pytest.raises(RequestError):
            break_down(layers, (images,), wanted, (0, 0, 0))
    with pytest.raises(RequestError, match="place"):
        break_down(layers, (images,), _wanted("relu"), (0, 8, 0))
    with pytest.raises(CallError):
        break_down(layers, (images,), _wanted("relu", call=3), (0, 0, 0))


class _Block(nn.Module):
    """A list of layers, one that never runs, and one that only lends its weights."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.ModuleList([nn.Sequential(nn.Conv2d(3, 3, 3), nn.ReLU()), nn.Conv2d(3, 3, 1)])
        self.never = nn.Conv2d(3, 3, 1)
        self.lender = nn.Conv2d(3, 3, 1)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        for step in self.steps:
            images = step(images)
        return nn.functional.conv2d(images, self.lender.weight)


class _OnlyLends(_Block):
    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return nn.functional.conv2d(images, self.lender.weight)


def test_a_reader_is_sent_only_to_layers_inside_that_ran() -> None:
    """The outermost of each; where none ran, nobody is sent anywhere."""
    net = nn.Sequential(_Block(), _OnlyLends())
    layers, images = LayerActivations(net, "cpu"), torch.rand(1, 3, 8, 8)
    found = break_down(layers, (images,), _wanted("0"), (0, 1, 1)).explanation
    assert found.reason.endswith("one by one: steps.0, steps.1.")
    found = break_down(layers, (images,), _wanted("1"), (0, 1, 1)).explanation
    assert found.reason == (
        "No layer inside _OnlyLends ran, and what _OnlyLends computes itself is not explained here."
    )


class _Tokens(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.memory = nn.LSTM(8, 4, batch_first=True)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        tokens = images.flatten(2).transpose(1, 2).repeat(1, 1, 8)
        mask = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool).triu(1)
        mixed, _ = self.attention(query=tokens, key=tokens, value=tokens, attn_mask=mask)
        return self.memory(mixed)[0]


@pytest.mark.parametrize(
    ("layer", "leaf", "place"),
    [
        ("attention", "output[0]", (0, 3, 5)),
        ("attention", "output[1]", (0, 3, 2)),
        ("memory", "output[0]", (0, 3, 2)),
        ("memory", "output[1][1]", (0, 0, 2)),
    ],
)
def test_what_is_given_by_name_and_returned_beside_it_is_broken_down(
    layer: str, leaf: str, place: tuple[int, int, int]
) -> None:
    """Queries, keys and values by keyword with a mask; shares and the last states as further outputs."""
    layers, images = LayerActivations(_Tokens(), "cpu"), torch.rand(1, 1, 4, 4)
    found = break_down(layers, (images,), _wanted(layer, leaf=leaf, kind="table"), place).explanation
    assert found.agrees, found
    assert found.kind == ("attention" if layer == "attention" else "recurrent")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"gradient": 3}, "Gradients are not taken apart"),
        ({"training": 3}, "In training mode no number is taken apart"),
        ({"leaf": "inputs[0]"}, "Only what a layer returns can be taken apart"),
        ({"edits": edits_from("relu:zero:1"), "show": "difference"}, "A difference is not taken apart"),
    ],
)
def test_a_view_that_no_layer_made_is_refused_in_words_for_both_languages(
    more: dict[str, object], said: str
) -> None:
    """Gradients, inputs, differences."""
    layers, images = LayerActivations(Reused(), "cpu"), torch.rand(1, 3, 8, 8)
    with pytest.raises(RequestError) as refused:
        break_down(layers, (images,), _wanted("relu", **more), (0, 0, 0))
    assert str(refused.value).startswith(said)
    assert isinstance(str(refused.value), Sentence)
