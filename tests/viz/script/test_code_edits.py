"""Edits as plain hooks in copied code: the same numbers as in the view, bit for bit."""

import ast
import dataclasses
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import models
from tests.viz.fresh import assert_script_agrees, captured, noise_photo, wanted_of
from viz.errors import RequestError
from viz.hooks.activations import LayerActivations
from viz.passes.applied_edits import edited
from viz.request.edit_request import edits_from
from viz.script.code import script
from viz.script.code_edits import edit_hooks, edit_lines
from viz.script.edit_places import edit_places

IMAGES = torch.rand(1, 3, 6, 6, generator=torch.Generator().manual_seed(1))


class Named(nn.Module):
    """Returns its value under a name, beside another."""

    def forward(self, value: Tensor) -> dict[str, Tensor]:
        """Return the value twice."""
        return {"plain": value, "double": value * 2}


class Nested(nn.Module):
    """Returns its value inside a tuple in a tuple."""

    def forward(self, value: Tensor) -> tuple[tuple[Tensor], int]:
        """Return the value in nested tuples."""
        return (value,), 1


class Varied(nn.Module):
    """Maps, tokens and vectors; a ReLU for both maps and tokens; a dict, a nested and a recurrent output."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv, self.relu = nn.Conv2d(3, 5, 3), nn.ReLU()
        self.tokens, self.lstm = nn.Linear(5, 4), nn.LSTM(4, 6)
        self.named, self.nested, self.head = Named(), Nested(), nn.Linear(6, 3)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (1, 3) of images (1, 3, 6, 6)."""
        maps = self.relu(self.conv(images))
        tokens = self.relu(self.tokens(maps.flatten(2).transpose(1, 2)))
        sequence = self.lstm(tokens.transpose(0, 1))[0]  # (tokens, batch, width)
        (value,), _ = self.nested(sequence.mean(0))
        scores: Tensor = self.head(self.named(value)["plain"])
        return scores


def by_engine(text: str) -> Tensor:
    """The scores with these edits, as a view has them."""
    layers = LayerActivations(Varied(), device="cpu")
    with edited(layers, edits_from(text), (6, 6)):
        scores: Tensor = layers.run(IMAGES)
    return scores


def by_script(text: str) -> Tensor:
    """The scores with these edits, by the lines of a script in a model that knows nothing of ours."""
    places = edit_places(LayerActivations(Varied(), device="cpu"), (IMAGES,), edits_from(text))
    known: dict[str, Any] = {"torch": torch, "count": count, "model": Varied().eval()}
    exec("\n".join([*edit_lines(places), f"hooks = [{', '.join(edit_hooks(places)[0])}]"]), known)
    with torch.no_grad():
        scores: Tensor = known["model"](IMAGES)
    return scores


KINDS = ("zero:{}", "scale:{}:-0.5", "mean:{}", "noise:{}:0.3:7", "clamp:{}:0.1")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", ["all", "2", "0,3", "1-3"])
@pytest.mark.parametrize("layer", ["conv", "relu@2", "lstm", "conv:inputs", "relu", "named"])
def test_the_lines_change_a_model_as_the_view_did(layer: str, where: str, kind: str) -> None:
    """Every kind, for one channel, some, a run and all, in maps, tokens, dicts and sequence-first tuples."""
    name, _, side = layer.partition(":")
    channels = where if not side or where == "all" else "1"  # the photo has three channels
    text = f"{name}:{f'{side}.' if side else ''}{kind.format(channels)}"
    assert torch.equal(by_script(text), by_engine(text))


def test_a_model_without_edits_has_no_places() -> None:
    """The model does not run to find that out."""
    assert edit_places(LayerActivations(Varied(), device="cpu"), (IMAGES,), ()) == ()


def test_edits_of_one_layer_work_in_their_order() -> None:
    """Adding noise and then cutting off is not cutting off and then adding noise."""
    texts = "conv:noise:all:1:3;conv:clamp:all:0.2", "conv:clamp:all:0.2;conv:noise:all:1:3"
    found = [by_script(text) for text in texts]
    assert [torch.equal(each, by_engine(text)) for each, text in zip(found, texts, strict=True)] == [True] * 2
    assert not torch.equal(*found)


def test_many_channels_have_lines_of_their_own() -> None:
    """So no line gets too long to read."""
    layers = LayerActivations(nn.Sequential(nn.Linear(6, 400)), device="cpu")
    odd = ",".join(str(2 * channel) for channel in range(200))
    lines = edit_lines(edit_places(layers, (torch.ones(2, 6),), edits_from(f"0:zero:{odd}")))
    listed = "\n".join(lines).partition("channels = ")[2].partition("]")[0] + "]"
    assert ast.literal_eval(listed) == list(range(0, 400, 2))
    assert max(map(len, lines)) <= 110


def test_what_a_short_script_does_not_reach_is_refused_in_a_sentence() -> None:
    """It names the layer and the path to its tensor; the page itself can edit there."""
    assert not torch.equal(by_engine("nested:zero"), by_engine(""))
    with pytest.raises(RequestError, match=r"edit of nested cannot be written .* \(output\[0\]\[0\]\)"):
        by_script("nested:zero")


VIEWS = {
    "one channel removed": ("lenet", "conv2", {"edits": "conv1:zero:3"}),
    "the first picture was other": ("lenet", "conv2", {"edits": "conv1:inputs.clamp:all:0.5"}),
    "an edited layer itself": ("lenet", "conv1", {"edits": "conv1:scale:all:2;conv1:noise:0-2:0.5:7"}),
    "an edited input": ("lenet", "conv2", {"edits": "conv2:inputs.mean:1", "leaf": "inputs[0]"}),
    "what an edit changes": ("lenet", "fc1", {"edits": "conv1:zero:1", "show": "difference"}),
    "a gradient": ("lenet", "conv1", {"edits": "conv2:scale:1:-2;relu2:clamp:all:0.5", "gradient": 3}),
    "what an edit does to a gradient": (
        "lenet",
        "conv1",
        {"edits": "conv2:mean:4;conv1:zero:0", "gradient": 3, "show": "difference"},
    ),
    "one call of a reused layer": (
        "resnet18",
        "layer1.0.relu",
        {"call": 1, "edits": "layer1.0.relu@2:zero:1"},
    ),
    "another picture's channels": ("lenet", "conv2", {"edits": "conv1:swap:3,5:camera;relu1:zero:1"}),
    "a drawn picture's input": ("lenet", "fc1", {"edits": "conv2:inputs.swap:all:zone_plate"}),
    "what another picture's maps change": (
        "lenet",
        "conv2",
        {"edits": "conv1:swap:0:cat;conv1:swap:1:coffee", "show": "difference"},
    ),
    "each call from another picture": ("resnet18", "layer1.1.conv1", {"edits": "layer1.0.relu:swap:1:cat"}),
    "a gradient beside another picture's maps": (
        "lenet",
        "conv1",
        {"edits": "conv2:swap:0-7:coffee", "gradient": 3},
    ),
    "gradients that are changed on their way back": (
        "lenet",
        "conv1",
        {"edits": "conv2:gradient.clamp:all:0.01;relu2:gradient.scale:3:-2;conv1:scale:1:2", "gradient": 3},
    ),
    "a changed gradient itself": (
        "lenet",
        "conv2",
        {"edits": "conv2:gradient.noise:0-4:0.1:7;conv2:gradient.clamp:all:0.05", "gradient": 3},
    ),
    "what a changed gradient changes": (
        "resnet18",
        "conv1",
        {"edits": "layer1.0.relu@2:gradient.zero:3,5", "gradient": 3, "show": "difference"},
    ),
    "a gradient at an input": (
        "lenet",
        "conv2",
        {"edits": "fc1:scale:all:2", "leaf": "inputs[0]", "gradient": 3},
    ),
    "a changed gradient at an input": (
        "lenet",
        "conv2",
        {
            "edits": "conv2:inputs_gradient.noise:0-2:0.1:7;conv2:inputs_gradient.clamp:all:0.05",
            "leaf": "inputs[0]",
            "gradient": 3,
        },
    ),
    "gradients that an input passes on": (
        "resnet18",
        "layer1.0.bn2",
        {
            "edits": "layer1.1.conv1:inputs_gradient.zero:3-20;layer1.0.relu@2:inputs_gradient.scale:1:5;"
            "conv1:scale:2:2",
            "gradient": 3,
            "show": "difference",
        },
    ),
    "noise in tokens": (
        "vit_b_32",
        "encoder.layers.encoder_layer_1.ln_1",
        {"edits": "encoder.layers.encoder_layer_0.self_attention:noise:5-90:0.1:3"},
    ),
}


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.parametrize("name", VIEWS)
def test_the_script_of_an_edited_view_makes_the_same_numbers(name: str, tmp_path: Path) -> None:
    """In a fresh process, bit for bit; without the edits the numbers would be different."""
    model, layer, more = VIEWS[name]
    photo = noise_photo()
    wanted = wanted_of(photo, model, layer, **more | {"edits": edits_from(str(more["edits"]))})
    shown = assert_script_agrees(wanted, photo, tmp_path)
    plain, view, _ = captured(wanted_of(photo, model, layer, **more | {"edits": (), "show": "after"}), photo)
    assert shown.tobytes() != plain.call(wanted.call)[view.leaf].array.tobytes()


def test_a_script_has_lines_for_what_it_does_and_no_others() -> None:
    """The maps before the edits have no lines for edits; one kind of edit adds no lines for other kinds."""
    photo = noise_photo()
    plain = wanted_of(photo, "lenet", "conv2")
    edited_view = wanted_of(photo, "lenet", "conv2", edits=edits_from("conv1:zero:3"))
    before = wanted_of(photo, "lenet", "conv2", edits=edited_view.edits, show="before")
    texts = []
    for wanted in (plain, before, edited_view):
        _, view, facts = captured(wanted, photo)
        texts.append(script(wanted, view, models.describe("lenet"), facts))
    assert texts[0] == texts[1]
    assert "conv1: channel 3 set to zero" in texts[2]
    assert not {word for word in ("randn", "clamp", "count", "mean(") if word in texts[2]}
    _, view, facts = captured(edited_view, photo)
    with pytest.raises(ValueError, match="places"):
        script(edited_view, view, models.describe("lenet"), dataclasses.replace(facts, places=()))


def test_a_layers_made_up_name_never_becomes_code() -> None:
    """It stands between quotes, in the docstring as well."""
    net = nn.Sequential()
    net.add_module('a"""\nimport os', nn.Linear(4, 4))
    layers = LayerActivations(net, device="cpu")
    places = edit_places(layers, (torch.ones(1, 4),), edits_from("a%22%22%22%0Aimport%20os:zero:1"))
    tree = ast.parse("\n".join([*edit_lines(places), *edit_hooks(places)[0]]))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
