"""The lines of a script for gradients where a layer works in place, and what it overwrites is read again."""

from itertools import count
from typing import Any

import pytest
import torch
from torch import nn

from tests.viz.nets import PreActivation
from viz.hooks.activations import LayerActivations
from viz.request.edit_request import edits_from
from viz.script.code_edits import edit_hooks, edit_lines
from viz.script.code_gradient import MEMORY, gradient_keep
from viz.script.edit_places import edit_places
from viz.script.overwriting import overwriting

IMAGES = torch.rand(2, 3, 5, 6, generator=torch.Generator().manual_seed(1)).double()
PARTS = pytest.mark.parametrize("part", [slice(None), slice(1, None)], ids=["whole", "a view"])


def nets(part: slice) -> tuple[PreActivation, PreActivation]:
    """A net whose activation works in place, and the same net written out of place."""
    in_place, written_out = (PreActivation(inplace=way, part=part).eval().double() for way in (True, False))
    written_out.load_state_dict(in_place.state_dict())
    return in_place.requires_grad_(requires_grad=False), written_out


def by_autograd(net: PreActivation) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The gradients of one score at the activation's input and output, and the score itself."""
    seen: list[torch.Tensor] = []
    net.relu.register_forward_hook(lambda _, args, output: seen.extend((*args, output)))
    score = net(IMAGES)[0, 2]
    before, after = torch.autograd.grad(score, seen)
    return before, after, score


def run(model: nn.Module, lines: list[str], hook: str) -> dict[str, Any]:
    """Run a script's lines with a model, and backward from the same score; what they leave behind."""
    script: dict[str, Any] = {"torch": torch, "count": count, "model": model, "calls": [], "outputs": []}
    exec("\n".join(lines), script)
    script["handle"] = eval(hook, script | {"layer": model.get_submodule("relu")})
    script["score"] = model(IMAGES)[0, 2]
    script["score"].backward()
    return script


@PARTS
@pytest.mark.parametrize("path", ["output", "inputs[0]"])
def test_a_script_has_the_gradient_of_all_who_read_what_a_layer_overwrites(path: str, part: slice) -> None:
    """As the same net written out of place has by plain autograd; the score is the net's own."""
    in_place, written_out = nets(part)
    before, after, score = by_autograd(written_out)
    found = overwriting(LayerActivations(in_place, "cpu"), (IMAGES,), "relu")
    assert found.meets("relu", 0, path)
    lines = [*MEMORY, *gradient_keep(path, outputs=path == "output", overwritten=True)]
    way = "pre_" if path != "output" else ""
    script = run(in_place, lines, f"layer.register_forward_{way}hook(keep)")
    assert torch.equal(script["score"], score)
    assert torch.allclose(script["calls"][0], after if path == "output" else before, rtol=1e-12)
    assert [torch.equal(each, each.relu()) for each in script["outputs"]] == [True] * (path == "output")


@PARTS
def test_a_script_that_edits_such_a_gradient_edits_that_of_all_readers(part: slice) -> None:
    """Twice the gradient at the activation is twice the gradient before it, for every reader."""
    in_place, written_out = nets(part)
    before, _, _ = by_autograd(written_out)
    places = edit_places(
        LayerActivations(in_place, "cpu"), (IMAGES,), edits_from("relu:gradient.scale:all:2")
    )
    assert [place.overwritten for place in places] == [True]
    keep = [
        "",
        *gradient_keep("inputs[0]", overwritten=True),
        "",
        "model.relu.register_forward_pre_hook(keep)",
    ]
    script = run(in_place, [*MEMORY, *edit_lines(places), *keep], *edit_hooks(places)[1])
    assert torch.allclose(script["calls"][0], 2 * before, rtol=1e-12)


def test_a_layer_that_returns_memory_of_its_own_or_only_passes_it_on_overwrites_nothing() -> None:
    """A convolution, an identity, and an activation out of place; in place it does, in every call."""
    relu = nn.ReLU(inplace=True)
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Identity(), relu, nn.ReLU(), nn.Sequential(relu))
    found = overwriting(LayerActivations(model.double(), "cpu"), (IMAGES,), *"01234")
    told = {name: [found.meets(name, call, "output") for call in (0, 1)] for name in "01234"}
    assert told == {
        "0": [False, False],
        "1": [False, False],
        "2": [True, True],
        "3": [False, False],
        "4": [True, False],
    }
