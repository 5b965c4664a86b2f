"""Gradients of a class score on tiny nets, against the chain rule by hand."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.viz.subjects import Counting, photo, prepare, subject
from viz.errors import LayoutError, RequestError
from viz.hooks.activations import LayerActivations
from viz.passes.attribution import capture_gradients, class_score, saliency

SIDE = 4 * 4  # places of Counting's second convolution


class Branching(nn.Module):
    """Its ``aside`` has no part in the scores, ``numbers`` returns integers, and the weights are frozen."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 2, 3)
        self.relu = nn.ReLU(inplace=True)
        self.aside = nn.Conv2d(2, 2, 1)
        self.numbers = Largest()
        self.requires_grad_(requires_grad=False)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 2) of images (N, 3, 8, 8)."""
        maps = self.first(images)
        self.aside(maps.clone())
        self.numbers(maps)
        scores: Tensor = self.relu(maps).square().sum((2, 3))
        return scores


class Largest(nn.Module):
    """Place of the largest value."""

    def forward(self, maps: Tensor) -> Tensor:
        """Return indices (N, C, H)."""
        return maps.argmax(-1)


def of(net: nn.Module, *names: str, target: int = 1, inputs: bool = False) -> dict:
    """The gradients of the picture with seed 1."""
    layers, made = LayerActivations(net, device="cpu"), subject(net)
    return capture_gradients(layers, made, made.arguments(photo(1).image), names, target, inputs=inputs)


def test_every_call_of_a_reused_layer_has_its_own_gradient() -> None:
    """Two sigmoids in a row: 1 at the class after the second, s(1 - s) of it after the first."""
    net = Counting()
    found = of(net, "last")["last"]
    with torch.no_grad():
        twice = net(prepare(photo(1).image))[0, 1]
    first, second = (call["output"].array for call in found.calls)
    np.testing.assert_array_equal(second, [[0, 1, 0]])
    np.testing.assert_allclose(first, [[0, float(twice * (1 - twice)), 0]], rtol=1e-5)


def test_a_layer_that_is_overwritten_in_place_has_the_gradient_of_what_it_returned() -> None:
    """Behind ``first`` a ReLU writes into its output: the gradient is 0 where that was negative, else 2 x."""
    net = Branching()
    found = of(net, "first", "relu")
    with torch.no_grad():
        maps = net.first(prepare(photo(1).image)).numpy()
    by_hand = 2 * np.maximum(maps, 0)
    by_hand[:, 0] = 0
    np.testing.assert_allclose(found["first"].calls[0]["output"].array, by_hand, rtol=1e-6)
    np.testing.assert_allclose(found["relu"].calls[0]["output"].array, by_hand, rtol=1e-6)


class Spectrum(nn.Module):
    """Scores of what speaks for class 0 and against class 1: both parts of complex maps, differently much."""

    def __init__(self) -> None:
        super().__init__()
        self.waves = Waves()

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 2) of images (N, 3, 8, 8)."""
        waves = self.waves(images)
        score = (waves.real * 2 + waves.imag * 3).sum((1, 2, 3))
        return torch.stack([score, -score], 1)


class Waves(nn.Module):
    """Complex maps, all of whose parts are positive."""

    def forward(self, images: Tensor) -> Tensor:
        """Return maps (N, 3, 8, 8)."""
        images = images.abs() + 1
        return torch.complex(images, images.flip(-1))


def test_the_grad_cam_of_complex_maps_is_that_of_both_parts_as_channels() -> None:
    """It is 0 if all of it speaks against the class; the oracle has twice as many real channels."""
    images = prepare(photo(1).image).abs() + 1
    expected = (images * 2 + images.flip(-1) * 3).sum(1)[0]
    for target, wanted in ((0, expected), (1, expected * 0)):
        cam = of(Spectrum(), "waves", target=target)["waves"].cams[0]
        assert not cam.problem
        np.testing.assert_allclose(cam.array, wanted, rtol=1e-5)


def test_inputs_have_gradients_through_the_call_alone() -> None:
    """The gradient at the second convolution's input is that of the ReLU's output."""
    found = of(Counting(), "relu", "second", inputs=True)
    at_input = found["second"].calls[0]["inputs[0]"].array
    np.testing.assert_array_equal(at_input, found["relu"].calls[0]["output"].array)
    assert at_input.any()


def test_a_layer_without_gradient_says_why() -> None:
    """One has no part in the score, and one returns whole numbers."""
    found = of(Branching(), "aside", "numbers")
    problems = {name: values.calls[0]["output"].problem for name, values in found.items()}
    assert "does not depend" in problems["aside"]
    assert "int64 values have no gradient" in problems["numbers"]
    assert "does not depend" in found["aside"].cams[0].problem


def test_the_gradient_says_whose_it_is() -> None:
    """The class by name, and its score."""
    net = Branching()
    with torch.no_grad():
        score = float(net(prepare(photo(1).image))[0, 1])
    assert of(net, "first")["first"].score_of == f"class 'dog' (logit {score:.4g})"


def test_weights_keep_no_trace() -> None:
    """They have no gradient, and ``requires_grad`` is as before."""
    net = Counting()
    of(net, "first")
    saliency(LayerActivations(net, device="cpu"), subject(net), photo(1), 0)
    assert all(weight.requires_grad and weight.grad is None for weight in net.parameters())
    assert not any(layer._forward_hooks or layer._forward_pre_hooks for layer in net.modules())


def test_saliency_is_the_largest_product_over_the_colours() -> None:
    """The gradient at the pixels by differences of the score in double precision, times the pixels."""
    net, image = Branching(), prepare(photo(1).image)
    found = saliency(LayerActivations(net, device="cpu"), subject(net), photo(1), 0)
    double = Branching().double()
    double.load_state_dict(net.state_dict())
    step, slopes = 1e-6, np.empty((3, 8, 8))
    for place in np.ndindex(3, 8, 8):
        nudge = torch.zeros(1, 3, 8, 8, dtype=torch.float64)
        nudge[(0, *place)] = step
        ahead, behind = (double(image.double() + sign * nudge)[0, 0] for sign in (1, -1))
        slopes[place] = float(ahead - behind) / (2 * step)
    np.testing.assert_allclose(found, np.abs(slopes * image[0].numpy()).max(0), rtol=1e-4, atol=1e-6)


def test_gradients_are_found_where_the_caller_has_switched_autograd_off() -> None:
    """The same saliency and the same gradients as without ``no_grad``."""
    net = Branching()
    layers = LayerActivations(net, device="cpu")
    expected = saliency(layers, subject(net), photo(1), 0), of(net, "first")["first"].calls[0]["output"].array
    with torch.no_grad():
        found = (
            saliency(layers, subject(net), photo(1), 0),
            of(net, "first")["first"].calls[0]["output"].array,
        )
    for one, other in zip(expected, found, strict=True):
        assert one.any()
        np.testing.assert_array_equal(one, other)


def test_an_output_that_is_no_scores_is_refused() -> None:
    """Maps, several pictures, two that may be meant, and a class beyond the last one."""
    two = {"out": torch.zeros(1, 3), "aux": torch.zeros(1, 3)}
    for output in (torch.zeros(1, 3, 8, 8), torch.zeros(2, 3), two):
        with pytest.raises(RequestError, match="one score per class"):
            class_score(output, 0)
    for target in (3, -1):
        with pytest.raises(RequestError, match=f"no class {target}: this model has classes 0 to 2"):
            class_score(torch.zeros(1, 3), target)


def test_a_score_that_ignores_the_picture_has_no_saliency() -> None:
    """The gradient does not exist, which is said; layers say it too."""
    net = nn.Sequential(Ignoring())
    with pytest.raises(LayoutError, match="no saliency"):
        saliency(LayerActivations(net, device="cpu"), subject(net), photo(1), 0)
    assert "does not depend" in of(Detached(), "first")["first"].calls[0]["output"].problem


class Ignoring(nn.Module):
    """Returns the same scores for every picture."""

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (1, 3)."""
        return torch.zeros(len(images), 3)


class Detached(Branching):
    """Its scores are cut off from everything before them."""

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 2) of images (N, 3, 8, 8)."""
        return super().forward(images).detach()
