"""Edits of what a layer passes back to its input, against full backward hooks and ``torch.autograd.grad``."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import models
from tests.viz.fresh import captured, noise_photo, wanted_of
from tests.viz.nets import Checkpointed, Plain, Reused, Scaled
from tests.viz.subjects import Shelf, photo, wanted
from viz.engine.engine import Engine
from viz.errors import EditError
from viz.hooks.activations import LayerActivations
from viz.passes.applied_edits import edited
from viz.request.edit_request import edits_from
from viz.views.one_layer import Values

Found = dict[str, Tensor]


def tripled(gradient: Tensor) -> Tensor:
    """Three times the gradient."""
    return gradient * 3


class Fork(nn.Module):
    """A value goes through a layer, which overwrites it in place, and past it."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first, self.relu, self.last = nn.Linear(4, 5), nn.ReLU(inplace=True), nn.Linear(5, 3)

    def forward(self, rows: Tensor) -> Tensor:
        """Return scores (N, 3) of rows (N, 4)."""
        value = self.first(rows)
        through = self.relu(value) * 7
        scores: Tensor = self.last(through + 2 * value)  # by now, the ReLU has overwritten value
        return scores


def gradients(layers: LayerActivations, inputs: Tensor, *names: str) -> Found:
    """The gradients of the first score at the outputs of these layers, with the edits that are open."""
    with layers.capture(*names, gradients=True) as record:
        layers.run(inputs)[..., 0].sum().backward()
        return {name: record[name].gradient for name in names}


@pytest.mark.parametrize("place", ["conv2", "pool", "fc"])
def test_it_does_what_a_full_backward_hook_does(images: Tensor, place: str) -> None:
    """PyTorch's own hook returns the changed gradient of the input; all come out alike, bit for bit."""
    names, model = ("conv1", "conv2", "pool", "fc"), Plain().eval()
    layers = LayerActivations(model, device="cpu")
    without = gradients(layers, images, *names)
    with layers.edit(place, input_gradient=tripled):
        found = gradients(layers, images, *names)
    model.get_submodule(place).register_full_backward_hook(lambda _, given, __: (tripled(given[0]),))
    expected = gradients(layers, images, *names)
    for name in names:
        assert torch.equal(found[name], expected[name])
        assert torch.equal(found[name], without[name]) is (names.index(name) >= names.index(place))


def test_the_way_past_the_layer_keeps_its_gradient(rows: Tensor) -> None:
    """The value on that way is still the one that the layer has overwritten in place."""
    model = Fork().eval()
    layers = LayerActivations(model, device="cpu")
    plain = layers.run(rows)
    with layers.edit("relu", input_gradient=tripled):
        found = gradients(layers, rows, "first")["first"]
        assert torch.equal(layers.run(rows), plain)
    before = model.first(rows).detach().requires_grad_()
    aside = before.clone()
    aside.register_hook(tripled)
    overwritten = torch.relu(aside)
    score = model.last(overwritten * 7 + 2 * overwritten)[:, 0].sum()
    assert torch.allclose(found, torch.autograd.grad(score, before)[0])


def test_a_capture_of_the_input_sees_the_edited_gradient_and_the_overwritten_value(rows: Tensor) -> None:
    """Recording and two edits put three copies in front of an in-place layer; what it writes reaches them."""
    layers = LayerActivations(Fork(), device="cpu")
    plain = layers.run(rows)
    with layers.capture("relu", inputs=True, gradients=True) as without:
        layers.run(rows)[..., 0].sum().backward()
    with (
        layers.edit("relu", input_gradient=lambda gradient: gradient + 1),
        layers.capture("relu", inputs=True, gradients=True) as record,
        layers.edit("relu", input_gradient=tripled),
    ):
        scores = layers.run(rows)
        scores[..., 0].sum().backward()
    assert torch.equal(scores.detach(), plain)
    gradient, before = record["relu"].input_gradients[0], without["relu"].input_gradients[0]
    assert torch.equal(gradient, (before + 1) * 3)  # the first block's edit comes first
    assert torch.equal(record["relu"].gradient, without["relu"].gradient)


def test_one_call_of_a_reused_layer_can_be_meant(images: Tensor) -> None:
    """The first of three ReLUs: only what is in front of that one changes."""
    layers = LayerActivations(Reused(), device="cpu")
    plain = gradients(layers, images, "conv1", "conv2")
    with layers.edit("relu", input_gradient=tripled, call=0):
        found = gradients(layers, images, "conv1", "conv2")
    assert torch.equal(found["conv2"], plain["conv2"])
    assert torch.equal(found["conv1"], plain["conv1"] * 3)


def test_it_works_through_activation_checkpointing(rows: Tensor) -> None:
    """The layers run again in the backward pass, and the gradient is changed once."""
    model = Checkpointed().eval()
    rows.requires_grad_()
    layers = LayerActivations(model, device="cpu")
    with layers.edit("first", input_gradient=tripled):
        layers.run(rows).square().sum().backward()
    leaf = rows.detach().requires_grad_()
    (expected,) = torch.autograd.grad(model.second(torch.tanh(model.first(leaf))).square().sum(), leaf)
    assert torch.allclose(rows.grad, expected * 3)


def test_inputs_that_come_by_keyword_are_refused(rows: Tensor) -> None:
    """In the sentence that edits of inputs have for it."""

    class Named(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = Scaled()

        def forward(self, x: Tensor) -> Tensor:
            scaled: Tensor = self.layer(x=x.clone(), factor=torch.tensor(3.0), mode="double")
            return scaled

    layers = LayerActivations(Named(), device="cpu")
    with (
        pytest.raises(EditError, match=r"by keyword \(x, factor, mode\)"),
        layers.edit("layer", input_gradient=tripled),
    ):
        layers.run(rows)


def test_an_edit_from_a_link_changes_the_first_input_alone(rows: Tensor) -> None:
    """The layer has two inputs; only the channels in the link change."""
    model = nn.ModuleDict({"one": nn.Linear(4, 4), "two": nn.Linear(4, 4), "join": nn.Bilinear(4, 4, 3)})
    model.forward = lambda x: model["join"](model["one"](x), model["two"](x))
    layers = LayerActivations(model, device="cpu")
    plain = gradients(layers, rows, "one", "two")
    with edited(layers, edits_from("join:inputs_gradient.scale:1,3:-2")):
        found = gradients(layers, rows, "one", "two")
    assert torch.equal(found["two"], plain["two"])
    assert torch.equal(found["one"], plain["one"] * torch.tensor([1.0, -2.0, 1.0, -2.0]))


def test_gradients_of_a_resnet_are_those_of_plain_hooks() -> None:
    """In front of a residual block: what comes through its first convolution is cut off, the rest is not."""
    shot = noise_photo()
    edits = edits_from("layer1.1.conv1:inputs_gradient.clamp:all:0.00002")
    values, view, _ = captured(wanted_of(shot, "resnet18", "layer1.0.bn2", edits=edits, gradient=7), shot)
    net, kept = models.load("resnet18", "random").eval().requires_grad_(requires_grad=False), []

    def keep(_: nn.Module, __: tuple[Tensor, ...], output: Tensor) -> Tensor:
        kept.append(output.clone().requires_grad_())
        return kept[0].clone()

    def cut(_: nn.Module, given: tuple[Tensor, ...]) -> Tensor:
        flows = given[0].clone()
        flows.register_hook(lambda gradient: gradient.clamp(-0.00002, 0.00002))
        return flows

    net.layer1[0].bn2.register_forward_hook(keep)
    net.layer1[1].conv1.register_forward_pre_hook(cut)
    score = net(models.describe("resnet18").preprocessing(shot.image))[0, 7]
    (expected,) = torch.autograd.grad(score, kept)
    found = values.calls[0][view.leaf].array
    assert found.tobytes() == expected.numpy().tobytes()
    plain, view, _ = captured(wanted_of(shot, "resnet18", "layer1.0.bn2", gradient=7), shot)
    assert found.tobytes() != plain.calls[0][view.leaf].array.tobytes()


def test_the_engine_shows_the_input_s_gradient_before_and_after(engine: Engine, shelf: Shelf) -> None:
    """At the layer's own input it is changed, at its output it is not; the values cost no other pass."""
    picture, edits = photo(1), edits_from("second:inputs_gradient.scale:all:3")
    found = {}
    for leaf in ("inputs[0]", "output"):
        for show in ("after", "before"):
            asked = wanted(picture, "second", gradient=1, edits=edits, show=show, leaf=leaf)
            found[leaf, show] = engine.do(Values(asked, picture), visitor="v").result().call(0)[leaf].array
    np.testing.assert_allclose(found["inputs[0]", "after"], 3 * found["inputs[0]", "before"], rtol=1e-6)
    np.testing.assert_array_equal(found["output", "after"], found["output", "before"])
    plain = engine.do(Values(wanted(picture, "first"), picture), visitor="v").result()
    passes = shelf.net.passes
    again = engine.do(Values(wanted(picture, "first", edits=edits), picture), visitor="v").result()
    np.testing.assert_array_equal(again.call(0)["output"].array, plain.call(0)["output"].array)
    assert shelf.net.passes == passes
