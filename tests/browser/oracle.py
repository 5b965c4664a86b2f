"""The same maps computed independently: torchvision's transforms, torch functions, matplotlib's colours."""

import io
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import torch
import torchvision
from matplotlib.colors import Normalize
from PIL import Image
from safetensors.torch import load_file
from torch.nn import functional
from torchvision import transforms
from torchvision.models.feature_extraction import create_feature_extractor

from tests.viz.maps.parts import means_of_parts

WEIGHTS = Path(__file__).parents[2] / "models" / "weights"
CIFAR10 = ((0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616))


@cache
def untrained_resnet50() -> torch.nn.Module:
    """ResNet-50 as it is right after seeding with 0."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model: torch.nn.Module = torchvision.models.resnet50(weights=None)
        return model.eval()


def resnet50_output(jpeg: bytes, layer: str) -> np.ndarray:
    """Return a layer's output for a picture, (channels, height, width), found by tracing, without hooks."""
    picture = Image.open(io.BytesIO(jpeg)).convert("RGB")
    batch = torchvision.models.ResNet50_Weights.DEFAULT.transforms()(picture)[None]
    extractor = create_feature_extractor(untrained_resnet50(), {layer: "out"})
    with torch.inference_mode():
        output: torch.Tensor = extractor(batch)["out"]
        return output[0].numpy()


def lenet_outputs(
    picture: Image.Image, weights: dict[str, torch.Tensor] | None = None
) -> dict[str, np.ndarray]:
    """Return LeNet's outputs by layer for a picture, (channels, height, width); by default as bundled."""
    steps = (transforms.Resize(32), transforms.CenterCrop(32), transforms.ToTensor())
    flow = transforms.Compose([*steps, transforms.Normalize(*CIFAR10)])(picture)[None]
    weights, outputs = weights or load_file(WEIGHTS / "lenet.safetensors"), {}
    for number in (1, 2):
        filters, bias = weights[f"conv{number}.weight"], weights[f"conv{number}.bias"]
        outputs[f"conv{number}"] = flow = functional.conv2d(flow, filters, bias)
        outputs[f"relu{number}"] = flow = functional.relu(flow)
        outputs[f"pool{number}"] = flow = functional.max_pool2d(flow, 2)
    return {layer: output[0].numpy() for layer, output in outputs.items()}


def lenet_without(picture: Image.Image, channel: int) -> dict[str, torch.Tensor]:
    """LeNet's later layers, and its scores, with one filter of ``conv1`` zeroed; with −1, unchanged."""
    steps = (transforms.Resize(32), transforms.CenterCrop(32), transforms.ToTensor())
    flow = transforms.Compose([*steps, transforms.Normalize(*CIFAR10)])(picture)[None]
    weights, outputs = load_file(WEIGHTS / "lenet.safetensors"), {}
    if channel >= 0:
        weights["conv1.weight"][channel], weights["conv1.bias"][channel] = 0, 0
    for number in (1, 2):
        flow = functional.conv2d(flow, weights[f"conv{number}.weight"], weights[f"conv{number}.bias"])
        outputs[f"conv{number}"] = flow
        flow = functional.max_pool2d(flow.relu(), 2)
    for number in (1, 2, 3):
        flow = functional.linear(flow.flatten(1), weights[f"fc{number}.weight"], weights[f"fc{number}.bias"])
        flow = flow.relu() if number < 3 else flow
    return outputs | {"scores": flow[0]}


def assert_mosaic_shows(pixels: np.ndarray, maps: np.ndarray, facts: dict[str, Any]) -> None:
    """Every pixel of every tile is the colour that matplotlib gives to its value, on the maps' own scale."""
    limit = max(abs(float(maps.min())), abs(float(maps.max())))
    limits = (-limit, limit) if facts["vmin"] < 0 < facts["vmax"] else (float(maps.min()), float(maps.max()))
    np.testing.assert_allclose((facts["vmin"], facts["vmax"]), limits, rtol=1e-4)
    assert_colours(pixels, maps, facts)


def assert_colours(pixels: np.ndarray, maps: np.ndarray, facts: dict[str, Any]) -> None:
    """The same on the scale that the facts give, wherever it comes from."""
    geometry = facts["geometry"]
    assert maps.shape == (geometry["channels"], geometry["map_height"], geometry["map_width"])
    height, width, pad = geometry["tile_height"], geometry["tile_width"], geometry["pad"]
    expected = possible_colours(maps, (height, width), facts)
    for place, channel in enumerate(geometry["order"] or range(len(maps))):
        row, column = divmod(place, geometry["columns"])
        top, left = row * (height + pad), column * (width + pad)
        tile = pixels[top : top + height, left : left + width]
        assert np.any([(tile == colours[channel]).all(axis=-1) for colours in expected], axis=0).all()


def possible_colours(maps: np.ndarray, size: tuple[int, int], facts: dict[str, Any]) -> list[np.ndarray]:
    """The colours of each value, or of the means where a tile has fewer pixels than its map has values.

    Means are rounded, so one on the border between two colours may have either.
    """
    norm, colormap = Normalize(facts["vmin"], facts["vmax"]), mpl.colormaps[facts["colormap"]]
    if maps.shape[1:] == size:
        return [colormap(norm(maps), bytes=True)]
    means = means_of_parts(maps, *size)
    reach = 1e-5 * max(abs(facts["vmin"]), abs(facts["vmax"]))
    return [colormap(norm(means + shift), bytes=True) for shift in (-reach, 0, reach)]
