"""Occlusion, against captum and against pictures covered by hand."""

from itertools import product

import numpy as np
import pytest
import torch
from captum.attr import Occlusion
from torch import Tensor, nn

from viz import occlusion
from viz.errors import LayoutError, RequestError
from viz.hooks.activations import LayerActivations
from viz.hooks.edits import zero_channel


class Bright(nn.Module):
    """Its score is the sum of one pixel's colours; it writes into its input."""

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 1) of images (N, C, H, W)."""
        return images.mul_(1)[:, :, 2, 3].sum(1, keepdim=True)


class Squeeze(nn.Module):
    """Takes all axes of one place away."""

    def forward(self, scores: Tensor) -> Tensor:
        """Return scores (N,), or () for N = 1, of scores (N, 1)."""
        return scores.squeeze()


class Twice(nn.Module):
    """Shows one class's scores as those of two."""

    def forward(self, scores: Tensor) -> Tensor:
        """Return scores (N, 2) of scores (N, 1)."""
        return scores.expand(-1, 2)


def made(channels: int = 4) -> tuple[nn.Module, LayerActivations, Tensor]:
    """A small net, its layers, and a picture (1, 3, 9, 12) of noise."""
    torch.manual_seed(1)
    net = nn.Sequential(
        nn.Conv2d(3, channels, 3),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(4 * channels, 3),
    ).eval()
    return net, LayerActivations(net, device="cpu"), torch.randn(1, 3, 9, 12)


def captums(
    net: nn.Module, image: Tensor, window: tuple[int, int], stride: tuple[int, int], value: float
) -> np.ndarray:
    """The map of class 1; captum has the same one for every colour."""
    method = Occlusion(net)
    found = method.attribute(image, (3, *window), strides=(3, *stride), baselines=value, target=1)
    return found[0, 0].detach().numpy()


@pytest.mark.parametrize("batch", [1, 4, 1000])
@pytest.mark.parametrize(
    ("window", "stride"),
    [((3, 3), (3, 3)), ((4, 5), (2, 3)), ((9, 12), (1, 1)), ((2, 12), (2, 20)), ((1, 4), (1, 1))],
)
def test_the_map_is_captums(window: tuple[int, int], stride: tuple[int, int], batch: int) -> None:
    """Windows that fit, that overlap, that reach beyond the edge, and that cover all of an axis."""
    net, layers, image = made()
    found = occlusion(layers, image, 1, window=window, stride=stride, value=0.5, batch=batch)
    expected = captums(net, image, window, stride, 0.5)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


def test_the_score_falls_by_what_the_window_covers() -> None:
    """Only the pixel that counts has a number, and the picture is left as it was."""
    image = torch.arange(3 * 4 * 5.0).view(1, 3, 4, 5)
    before, cover = image.clone(), torch.zeros(3, 4, 5)
    cover[:, 2, 3] = torch.tensor([1, 2, 3])
    found = occlusion(LayerActivations(Bright(), device="cpu"), image, 0, window=1, stride=1, value=cover)
    expected = np.zeros((4, 5), np.float32)
    expected[2, 3] = float(before[0, :, 2, 3].sum()) - 6
    np.testing.assert_array_equal(found, expected)
    assert torch.equal(image, before)


def test_scores_of_one_class_need_no_axis_of_classes() -> None:
    """A net that squeezes it away, (N,), has the map of one that does not, whatever the batch."""
    net = nn.Sequential(nn.Conv2d(3, 1, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten()).eval()
    image = torch.randn(1, 3, 9, 12, generator=torch.Generator().manual_seed(1))
    expected = captums(nn.Sequential(net, Twice()), image, (3, 3), (3, 3), 0.0)
    for batch in (1, 4):
        squeezed = LayerActivations(nn.Sequential(net, Squeeze()), device="cpu")
        found = occlusion(squeezed, image, 0, window=3, stride=3, value=0.0, batch=batch)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


def test_a_pixel_has_the_mean_of_the_windows_that_cover_it() -> None:
    """So its largest number is below the largest fall of one window, as covering by hand shows."""
    net, layers, image = made()
    places = list(product(range(7), range(10)))
    falls = np.full((len(places), 9, 12), np.nan)
    with torch.no_grad():
        whole = net(image)[0, 1].item()
        for number, (top, left) in enumerate(places):
            covered = image.clone()
            covered[..., top : top + 3, left : left + 3] = 0
            falls[number, top : top + 3, left : left + 3] = whole - net(covered)[0, 1].item()
    found = occlusion(layers, image, 1, window=3, stride=1)
    np.testing.assert_allclose(found, np.nanmean(falls, axis=0), rtol=1e-4, atol=1e-5)
    assert found.max() < 0.9 * np.nanmax(falls)


def test_open_edits_are_in_the_map() -> None:
    """As captum finds them in a net whose own weights remove the channel; an open capture changes nothing."""
    net, layers, image = made()
    with layers.edit("0", output=zero_channel(1)), layers.capture("0", gradients=True):
        found = occlusion(layers, image, 1, window=3, stride=2, batch=3)
    with torch.no_grad():
        net[0].weight[1], net[0].bias[1] = 0, 0
    expected = captums(net, image, (3, 3), (2, 2), 0)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"window": 10}, "a window of 10 pixels does not fit into a picture of 9"),
        ({"stride": 4}, "a stride of 4 pixels leaves out pixels between windows of 3"),
        ({"stride": 0}, "stride must be 1 or more"),
        ({"window": (3, 0)}, "window must be 1 or more"),
        ({"batch": 0}, "batch must be 1 or more"),
        ({"value": torch.zeros(2, 1, 1)}, "do not fit"),
        ({"target": 7}, "no class 7"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(change: dict[str, object], message: str) -> None:
    """Each before the net has run for the windows."""
    _, layers, image = made()
    with pytest.raises(RequestError, match=message):
        occlusion(layers, image, **{"target": 1, "window": 3, "stride": 2, **change})


def test_only_one_picture_can_be_covered() -> None:
    """Neither two, nor a vector, nor a film."""
    _, layers, _ = made()
    for shape in ((2, 3, 9, 12), (1, 12), (1, 3, 4, 9, 12)):
        with pytest.raises(LayoutError, match="one picture"):
            occlusion(layers, torch.zeros(shape), 1, window=3, stride=2)


@pytest.mark.slow
def test_captum_agrees_on_resnet18() -> None:
    """In float64, at 48 pixels, with windows that overlap."""
    from torchvision import models

    torch.manual_seed(0)
    net = models.resnet18().double().eval()
    image = torch.randn(1, 3, 48, 48, dtype=torch.float64)
    found = occlusion(LayerActivations(net, device="cpu"), image, 1, window=16, stride=10, batch=8)
    expected = captums(net, image, (16, 16), (10, 10), 0.0)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())
