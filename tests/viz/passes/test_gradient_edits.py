"""Edits of gradients, against ``torch.autograd.grad`` with tensor hooks written by hand."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import models
from tests.viz.fresh import captured, noise_photo, wanted_of
from tests.viz.subjects import Shelf, photo, wanted
from viz.engine.engine import Engine
from viz.hooks.activations import LayerActivations
from viz.passes.applied_edits import edited
from viz.request.edit_request import edits_from
from viz.request.method import Method
from viz.views.classes.explain import explaining
from viz.views.one_layer import Values
from viz.views.whole_model import Changes

IMAGES = torch.rand(1, 3, 8, 8, generator=torch.Generator().manual_seed(1))


class Two(nn.Module):
    """Returns its input and its double."""

    def forward(self, value: Tensor) -> tuple[Tensor, Tensor]:
        """Return the value and its double."""
        return value, value * 2


class Small(nn.Module):
    """Two convolutions, a ReLU behind each, a layer that returns two tensors, and class scores."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = nn.Conv2d(3, 4, 3), nn.Conv2d(4, 5, 3)
        self.relu, self.two, self.head = nn.ReLU(), Two(), nn.Linear(5, 3)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (1, 3) of images (1, 3, 8, 8)."""
        value, double = self.two(self.relu(self.second(self.relu(self.first(images)))))
        scores: Tensor = self.head((value + double).mean((2, 3)))
        return scores


Hooks = dict[int, Callable[[Tensor], Tensor]]


def by_hand(hooks: Hooks) -> list[Tensor]:
    """The gradient of score 1 at each step of the net above, hooks in place, by plain calls."""
    net = Small().requires_grad_(requires_grad=False)
    steps = [net.first(IMAGES).requires_grad_()]
    for layer in (net.relu, net.second, net.relu):
        steps.append(layer(_behind(steps, hooks)))
    steps += [value.clone() for value in net.two(_behind(steps, hooks))]
    value, double = steps[-2].clone(), steps[-1].clone()
    for place, tensor in ((4, value), (5, double)):
        if place in hooks:
            tensor.register_hook(hooks[place])
    score = net.head((value + double).mean((2, 3)))[0, 1]
    return list(torch.autograd.grad(score, steps))


def _behind(steps: list[Tensor], hooks: Hooks) -> Tensor:
    """The newest value with its hook: earlier values get the new gradient, the value itself the old one."""
    value = steps[-1].clone()
    if len(steps) - 1 in hooks:
        value.register_hook(hooks[len(steps) - 1])
    return value


def by_edits(text: str) -> dict[str, list[Tensor]]:
    """The gradients at each layer's output, with these edits in force."""
    layers = LayerActivations(Small(), device="cpu")
    with edited(layers, edits_from(text), (8, 8)), layers.capture(gradients=True) as record:
        layers.run(IMAGES)[0, 1].backward()
        return {name: [call.gradient for call in record[name]] for name in record}


def changed(place: int, change: Callable[[Tensor], Tensor], edits: str) -> None:
    """Layers before an edit have the gradients by hand, bit for bit; layers after it keep theirs."""
    plain, hooked, found = by_hand({}), by_hand({place: change}), by_edits(edits)
    calls = [found["first"][0], found["relu"][0], found["second"][0], found["relu"][1]]
    for step, gradient in enumerate(calls):
        expected = change(plain[place]) if step == place else hooked[step]
        assert torch.equal(gradient, expected)
        assert torch.equal(gradient, plain[step]) is (step > place)


KINDS = {
    "zero:1,3": lambda gradient: _part(gradient, [1, 3], torch.zeros_like),
    "zero": torch.zeros_like,
    "scale:2:-3": lambda gradient: _part(gradient, [2], lambda value: value * -3),
    "clamp:all:0.01": lambda gradient: gradient.clamp(-0.01, 0.01),
    "noise:all:0.5:7": lambda gradient: (
        gradient + torch.randn(gradient.shape, generator=torch.Generator().manual_seed(7)) * 0.5
    ),
}


def _part(value: Tensor, channels: list[int], change: Callable[[Tensor], Tensor]) -> Tensor:
    new = value.clone()
    new[:, channels] = change(value)[:, channels]
    return new


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_gradient_changes_those_in_front_of_it(kind: str) -> None:
    """Each kind, at the second convolution."""
    side, rest = kind.partition(":")[0], kind.partition(":")[2]
    changed(2, KINDS[kind], f"second:gradient.{side}" + (f":{rest}" if rest else ""))


def test_one_call_of_a_reused_layer_can_be_meant() -> None:
    """The first ReLU alone; the second keeps its gradient."""
    changed(1, lambda gradient: gradient * 2, "relu@1:gradient.scale:all:2")


def test_of_several_tensors_the_first_alone_is_changed() -> None:
    """The one that the page draws."""
    found, hooked = by_edits("two:gradient.scale:all:2"), by_hand({4: lambda gradient: gradient * 2})
    value, double = found["two"][0]
    assert torch.equal(found["first"][0], hooked[0])
    assert torch.equal(value, 2 * double)


def test_edits_of_one_gradient_work_in_their_order() -> None:
    """Noise and then a limit differ from a limit and then noise."""
    noise = KINDS["noise:all:0.5:7"]
    texts = "second:gradient.noise:all:0.5:7", "second:gradient.clamp:all:0.01"
    limited = by_hand({2: lambda gradient: noise(gradient).clamp(-0.01, 0.01)})[0]
    noisy = by_hand({2: lambda gradient: noise(gradient.clamp(-0.01, 0.01))})[0]
    assert torch.equal(by_edits(";".join(texts))["first"][0], limited)
    assert torch.equal(by_edits(";".join(texts[::-1]))["first"][0], noisy)
    assert not torch.equal(limited, noisy)


def test_edits_of_values_and_of_gradients_work_together() -> None:
    """A removed channel has an input that counts for nothing, whatever its gradient is made."""
    found = by_edits("relu@2:zero:1;second:gradient.scale:all:5")
    assert not by_edits("relu@2:zero:1")["second"][0][:, 1].any()
    assert not found["second"][0][:, 1].any()
    alone = by_edits("second:gradient.scale:all:5")
    assert torch.equal(alone["second"][0], 5 * by_edits("")["second"][0])


def test_gradients_of_a_resnet_are_those_of_plain_hooks() -> None:
    """Limited behind the second stage and removed in part behind a convolution; bit for bit."""
    shot = noise_photo()
    edits = edits_from("layer2:gradient.clamp:all:0.0005;layer1.1.conv1:gradient.zero:3-20")
    values, view, _ = captured(wanted_of(shot, "resnet18", "layer1.0.conv1", edits=edits, gradient=7), shot)
    net, kept = models.load("resnet18", "random").eval().requires_grad_(requires_grad=False), []

    def keep(_: nn.Module, __: tuple[Tensor, ...], output: Tensor) -> Tensor:
        kept.append(output.clone().requires_grad_())
        return kept[0].clone()

    def hooking(
        change: Callable[[Tensor], Tensor],
    ) -> Callable[[nn.Module, tuple[Tensor, ...], Tensor], Tensor]:
        def behind(_: nn.Module, __: tuple[Tensor, ...], output: Tensor) -> Tensor:
            flows = output.clone()
            flows.register_hook(change)
            return flows

        return behind

    net.layer1[0].conv1.register_forward_hook(keep)
    net.layer2.register_forward_hook(hooking(lambda gradient: gradient.clamp(-0.0005, 0.0005)))
    zero = lambda gradient: _part(gradient, list(range(3, 21)), torch.zeros_like)  # noqa: E731
    net.layer1[1].conv1.register_forward_hook(hooking(zero))
    score = net(models.describe("resnet18").preprocessing(shot.image))[0, 7]
    (expected,) = torch.autograd.grad(score, kept)
    found = values.calls[0][view.leaf].array
    assert found.tobytes() == expected.numpy().tobytes()
    plain, view, _ = captured(wanted_of(shot, "resnet18", "layer1.0.conv1", gradient=7), shot)
    assert found.tobytes() != plain.calls[0][view.leaf].array.tobytes()


def test_the_engine_shows_gradients_before_and_after_and_their_difference(
    engine: Engine, shelf: Shelf
) -> None:
    """In front of the edit; the values themselves are those of the pass without it, and cost no other."""
    picture, edits = photo(1), edits_from("second:gradient.scale:all:3")
    request = wanted(picture, "first", gradient=1, edits=edits)
    found = {}
    for show in ("after", "before", "difference"):
        asked = wanted(picture, "first", gradient=1, edits=edits, show=show)
        found[show] = engine.do(Values(asked, picture), visitor="v").result().call(0)["output"].array
    np.testing.assert_allclose(found["after"], 3 * found["before"], rtol=1e-5)
    np.testing.assert_array_equal(found["difference"], found["after"] - found["before"])
    plain = engine.do(Values(wanted(picture, "first"), picture), visitor="v").result()
    passes = shelf.net.passes
    again = engine.do(Values(request.forward, picture), visitor="v").result()
    np.testing.assert_array_equal(again.call(0)["output"].array, plain.call(0)["output"].array)
    assert shelf.net.passes == passes


def test_saliency_follows_the_edits_of_gradients(engine: Engine) -> None:
    """It is the gradient at the picture; predictions do not depend on any."""
    picture, edits = photo(1), edits_from("second:gradient.zero:1")
    plain, other = (wanted(picture, gradient=1, edits=each) for each in ((), edits))
    tasks = [explaining(each, picture, Method("saliency")) for each in (plain, other, plain)]
    found = [engine.do(task, visitor="v").result().values for task in tasks]
    np.testing.assert_array_equal(found[0], found[2])
    assert not np.array_equal(found[0], found[1])
    changes = engine.do(Changes(other, picture), visitor="v").result()
    assert all(each.before == each.after for each in changes)
