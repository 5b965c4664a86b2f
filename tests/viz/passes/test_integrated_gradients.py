"""Integrated gradients and layer conductance, against captum and against sums by hand."""

import numpy as np
import pytest
import torch
from captum.attr import IntegratedGradients, LayerConductance
from numpy.typing import NDArray
from torch import Tensor, nn

import models
from viz import Attribution, integrated_gradients, layer_conductance
from viz.errors import CallError, LayoutError, RequestError, UnknownLayerError
from viz.hooks.activations import LayerActivations
from viz.hooks.edits import zero_channel
from viz.pictures.samples import sample


class Smooth(nn.Module):
    """Scores that bend everywhere, so that the number of steps matters; ``act`` runs twice."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.act, self.fc = nn.Conv2d(3, 4, 3), nn.Tanh(), nn.Linear(4, 3)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, 8, 8)."""
        maps = self.act(self.conv(images)) * 2
        return self.act(self.fc(maps.mean((2, 3))))


class Overwriting(nn.Module):
    """It writes into its input, and a ReLU into what ``conv`` returned."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.relu = nn.Conv2d(3, 4, 3), nn.ReLU(inplace=True)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 4) of images (N, 3, 8, 8)."""
        scores: Tensor = self.relu(self.conv(images.mul_(2))).square().sum((2, 3))
        return scores


class Coupled(nn.Module):
    """Tokens first, as (places, N, channels): the first axis of ``mix`` is not the picture."""

    def __init__(self) -> None:
        super().__init__()
        self.mix, self.attend, self.fc = nn.Linear(3, 4), nn.MultiheadAttention(4, 2), nn.Linear(4, 3)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, 8, 8)."""
        tokens = self.mix(images.flatten(2).permute(2, 0, 1))
        scores: Tensor = self.fc(self.attend(tokens, tokens, tokens)[0].mean(0))
        return scores


class Ignoring(nn.Module):
    """Its scores do not depend on the picture."""

    def __init__(self) -> None:
        super().__init__()
        self.aside, self.largest = nn.Conv2d(3, 1, 1), Largest()

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 2)."""
        self.aside(images)
        return self.largest(images)[:, :2].float()


class Largest(nn.Module):
    """Place of the largest value."""

    def forward(self, images: Tensor) -> Tensor:
        """Return indices (N, pixels)."""
        return images.flatten(2).argmax(1)


def made(kind: type[nn.Module], seed: int = 0) -> tuple[nn.Module, LayerActivations, Tensor]:
    """A net, its layers, and a picture of noise."""
    torch.manual_seed(seed)
    net = kind().eval()
    return net, LayerActivations(net, device="cpu"), torch.randn(1, 3, 8, 8)


@torch.no_grad()
def rise_of(net: nn.Module, image: Tensor, target: int) -> float:
    """By how much a class scores higher for the picture than for zeros."""
    return float((net(image) - net(torch.zeros_like(image)))[0, target])


def assert_same(found: NDArray[np.float32], expected: Tensor, tolerance: float = 1e-5) -> None:
    """Equal to 1e-5 of the largest, which is not 0."""
    expected = expected.detach()
    largest = float(expected.abs().max())
    assert found.dtype == np.float32
    assert largest > 0
    assert found.shape == expected.shape
    np.testing.assert_allclose(found / largest, expected.numpy() / largest, rtol=0, atol=tolerance)


@pytest.mark.parametrize("batch", [1, 7, 50])
@pytest.mark.parametrize("kind", [Smooth, Coupled])
def test_integrated_gradients_and_gap_are_captums(kind: type[nn.Module], batch: int) -> None:
    """From a baseline of one number for each colour, with few steps, so that the gap is not 0."""
    net, layers, image = made(kind)
    baseline = torch.tensor([0.5, -1, 2]).view(3, 1, 1)
    found = integrated_gradients(layers, image, 1, baseline=baseline, steps=3, batch=batch)
    expected, delta = IntegratedGradients(net).attribute(
        image, baseline.expand(1, 3, 8, 8), 1, n_steps=3, return_convergence_delta=True
    )
    assert_same(found.values, expected)
    assert found.gap == pytest.approx(float(delta), rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("layer", ["conv", "fc"])
def test_conductance_and_gap_are_captums(layer: str) -> None:
    """Of maps and of a vector; captum's formula leaves out the two ends, so both gaps are large."""
    net, layers, image = made(Smooth)
    found = layer_conductance(layers, image, layer, 1, steps=8)
    expected, delta = LayerConductance(net, net.get_submodule(layer)).attribute(
        image, target=1, n_steps=8, return_convergence_delta=True
    )
    assert_same(found.values, expected)
    assert found.gap == pytest.approx(float(delta), rel=1e-3, abs=1e-6)


def test_the_gap_closes_with_more_steps() -> None:
    """Completeness: fifty steps leave less than a thousandth of what the score rises by."""
    net, layers, image = made(Smooth)
    rise = rise_of(net, image, 2)
    few, many = (integrated_gradients(layers, image, 2, steps=steps) for steps in (1, 50))
    assert abs(many.gap) < abs(rise) / 1000 < abs(few.gap)
    assert many.values.sum() == pytest.approx(rise, rel=1e-3)
    gaps = [abs(layer_conductance(layers, image, "conv", 2, steps=steps).gap) for steps in (5, 200)]
    assert gaps[1] < gaps[0] / 10


def test_a_layer_whose_first_axis_is_not_the_picture_has_its_conductance() -> None:
    """The sum over the steps by hand, with tokens in front; and of attention the first tensor is meant."""
    net, layers, image = made(Coupled)
    places = (1 + np.polynomial.legendre.leggauss(5)[0]) / 2
    for layer in ("mix", "attend"):
        total, last = torch.zeros(64, 1, 4), None
        for place in places:
            value, slope = by_hand(net, layer, image * place)
            total, last = (total if last is None else total + last[1] * (value - last[0])), (value, slope)
        assert_same(layer_conductance(layers, image, layer, 0, steps=4).values, total)


def by_hand(net: nn.Module, layer: str, image: Tensor) -> tuple[Tensor, Tensor]:
    """Return the layer's output, and the gradient there, by a plain hook."""
    kept: list[Tensor] = []

    def keep(_: nn.Module, __: object, output: Tensor | tuple[Tensor, ...]) -> None:
        kept.append(output if isinstance(output, Tensor) else output[0])

    with net.get_submodule(layer).register_forward_hook(keep):
        (slope,) = torch.autograd.grad(net(image.float())[0, 0], kept[0])
    return kept[0].detach(), slope


def test_what_is_overwritten_in_place_is_attributed_as_it_was() -> None:
    """The same numbers as of a net that writes into nothing, and the picture is left as it was."""
    _, layers, image = made(Overwriting)
    before = image.clone()
    plain = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), Squares())
    with torch.no_grad():
        plain[0].weight.copy_(layers.model.conv.weight * 2)
        plain[0].bias.copy_(layers.model.conv.bias)
    assert_same(
        integrated_gradients(layers, image, 3).values, IntegratedGradients(plain).attribute(image, 0, 3)
    )
    expected = LayerConductance(plain, plain[0]).attribute(image, target=3)
    assert_same(layer_conductance(layers, image, "conv", 3).values, expected)
    assert torch.equal(image, before)


class Squares(nn.Module):
    """The sum of squares over all places."""

    def forward(self, maps: Tensor) -> Tensor:
        """Return scores (N, C)."""
        return maps.square().sum((2, 3))


def test_open_edits_are_in_the_attributions() -> None:
    """As captum finds them in a net whose own weights remove the channel; gradients can be edited too."""
    net, layers, image = made(Smooth)
    plain = integrated_gradients(layers, image, 1)
    with layers.edit("conv", output=zero_channel(2)):
        found = integrated_gradients(layers, image, 1, batch=10)
        conductance = layer_conductance(layers, image, "conv", 1)
    with layers.edit("conv", gradient=lambda gradient: gradient * 3):
        tripled = integrated_gradients(layers, image, 1)
    assert_same(tripled.values, torch.from_numpy(3 * plain.values))
    assert abs(tripled.gap) > 100 * abs(plain.gap)
    with torch.no_grad():
        net.conv.weight[2], net.conv.bias[2] = 0, 0
    assert_same(found.values, IntegratedGradients(net).attribute(image, 0, 1))
    assert_same(conductance.values, LayerConductance(net, net.conv).attribute(image, target=1))
    assert not conductance.values[:, 2].any()


def test_an_edit_that_reaches_for_the_only_row_meets_every_point() -> None:
    """Without ``batch``, each point has a run of its own, as an edit written for one picture expects."""

    def first_row(output: Tensor) -> Tensor:
        return torch.cat([output[:1] * 0.5, output[1:]])

    _, layers, image = made(Smooth)
    with layers.edit("conv", output=first_row):
        found = integrated_gradients(layers, image, 1)
    with layers.edit("conv", output=lambda output: output * 0.5):
        expected = integrated_gradients(layers, image, 1, batch=50)
    assert_same(found.values, torch.from_numpy(expected.values))


def test_operations_and_the_model_itself_have_a_conductance() -> None:
    """Behind a multiplication by 2 it is that of its input; the model's own is what its score rises by."""
    net, layers, image = made(Smooth)
    first = layer_conductance(layers, image, "act", 1, call=0)
    doubled = layer_conductance(layers, image, " › mul", 1)
    np.testing.assert_allclose(doubled.values, first.values, rtol=1e-4, atol=1e-8)
    own = layer_conductance(layers, image, "", 1, steps=100)
    rise = rise_of(net, image, 1)
    assert own.values.shape == (1, 3)
    assert own.values[0, 1] == pytest.approx(rise, rel=1e-2)
    assert not own.values[0, [0, 2]].any()


def test_each_call_of_a_reused_layer_has_its_own_conductance() -> None:
    """The call that is meant must be named; the second is the model's own output."""
    _, layers, image = made(Smooth)
    last = layer_conductance(layers, image, "act", 1, call=1).values
    np.testing.assert_array_equal(last, layer_conductance(layers, image, "", 1).values)
    with pytest.raises(CallError, match="ran 2 times"):
        layer_conductance(layers, image, "act", 1)
    with pytest.raises(CallError, match="no call 2"):
        layer_conductance(layers, image, "act", 1, call=2)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_gradients_are_found_where_the_caller_has_switched_autograd_off(mode: type) -> None:
    """The same numbers, from a picture that is made there."""
    _, layers, image = made(Smooth)
    expected = integrated_gradients(layers, image, 1, steps=3), layer_conductance(layers, image, "conv", 1)
    with mode():
        inside = image * 1
        found = integrated_gradients(layers, inside, 1, steps=3), layer_conductance(layers, inside, "conv", 1)
    for one, other in zip(expected, found, strict=True):
        assert isinstance(other, Attribution)
        np.testing.assert_array_equal(one.values, other.values)
        assert one.gap == other.gap


def test_nothing_is_left_behind_on_the_model() -> None:
    """No gradients, no hooks, weights that can be trained; and none on a picture that asks for gradients."""
    net, layers, image = made(Smooth)
    image.requires_grad_()
    integrated_gradients(layers, image, 1, steps=3)
    layer_conductance(layers, image, "conv", 1, steps=3)
    assert all(weight.requires_grad and weight.grad is None for weight in net.parameters())
    assert not any(layer._forward_hooks or layer._forward_pre_hooks for layer in net.modules())
    assert image.grad is None


def test_a_score_that_depends_on_nothing_has_no_attribution() -> None:
    """It is said of the input, of a layer aside, and of one that returns whole numbers."""
    _, layers, image = made(Ignoring)
    with pytest.raises(LayoutError, match=r"no integrated gradients: .* does not depend"):
        integrated_gradients(layers, image, 1, steps=2)
    with pytest.raises(LayoutError, match=r"'aside' has no conductance: .* does not depend"):
        layer_conductance(layers, image, "aside", 1, steps=2)
    with pytest.raises(LayoutError, match="'largest' returns no real numbers"):
        layer_conductance(layers, image, "largest", 1, steps=2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": torch.zeros(2, 3, 8, 8)}, "one input at a time"),
        ({"inputs": torch.zeros(1, 3, 8, 8, dtype=torch.int64)}, "an input of int64 values"),
        ({"baseline": torch.zeros(4, 1, 1)}, r"values of the shape \(4, 1, 1\) do not fit"),
        ({"target": 3}, "no class 3"),
        ({"steps": 0}, "steps must be 1 or more, and is 0"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(change: dict[str, object], message: str) -> None:
    """By both functions."""
    _, layers, image = made(Smooth)
    asked = {"inputs": image, "target": 1, **change}
    with pytest.raises(RequestError, match=message):
        integrated_gradients(layers, **asked)
    with pytest.raises(RequestError, match=message):
        layer_conductance(layers, layer="conv", **asked)


def test_unknown_layers_and_empty_batches_are_refused() -> None:
    """The one by conductance, which alone has a layer, and the other by integrated gradients."""
    _, layers, image = made(Smooth)
    with pytest.raises(UnknownLayerError, match="conw"):
        layer_conductance(layers, image, "conw", 1)
    with pytest.raises(RequestError, match="batch must be 1 or more"):
        integrated_gradients(layers, image, 1, batch=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "layer"), [("resnet18", "layer3"), ("vit_b_16", "encoder.layers.encoder_layer_1")]
)
def test_captum_agrees_on_models_of_torchvision(name: str, layer: str) -> None:
    """A residual net, and a transformer of two small blocks; in float64, where ReLUs flip alike."""
    from torchvision import models
    from torchvision.models.vision_transformer import VisionTransformer

    torch.manual_seed(0)
    net = models.resnet18() if name == "resnet18" else VisionTransformer(32, 8, 2, 2, 16, 32, num_classes=10)
    net = net.double().eval()
    if name == "vit_b_16":
        nn.init.normal_(net.heads.head.weight)  # it begins with zeros
    image = torch.randn(1, 3, 32, 32, dtype=torch.float64)
    layers = LayerActivations(net, device="cpu")
    found = integrated_gradients(layers, image, 4, steps=10, batch=5)
    assert_same(found.values, IntegratedGradients(net).attribute(image, 0, 4, n_steps=10))
    expected = LayerConductance(net, net.get_submodule(layer)).attribute(image, target=4, n_steps=10)
    assert_same(layer_conductance(layers, image, layer, 4, steps=10).values, expected)


def test_attributions_of_the_included_transformer_are_complete() -> None:
    """Its patches become tokens behind a norm, where PyTorch alone goes back wrong."""
    layers = LayerActivations(models.load("patchformer"), device="cpu")
    picture = models.describe("patchformer").preprocessing(sample("cat"))
    rise = rise_of(layers.model.eval(), picture, 3)
    for found in (
        integrated_gradients(layers, picture, 3, steps=20),
        layer_conductance(layers, picture, "stem.conv1", 3, steps=20),
    ):
        assert abs(found.gap) < 0.1 * abs(rise)
