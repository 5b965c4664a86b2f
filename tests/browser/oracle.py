"""The same maps by another road: torchvision's transforms and feature extractor, matplotlib's colours."""

import io
from functools import cache

import matplotlib as mpl
import numpy as np
import torch
import torchvision
from matplotlib.colors import Normalize
from PIL import Image
from torchvision.models.feature_extraction import create_feature_extractor


@cache
def untrained_resnet50() -> torch.nn.Module:
    """ResNet-50 as it is right after seeding with 0."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return torchvision.models.resnet50(weights=None).eval()


def resnet50_output(jpeg: bytes, layer: str) -> np.ndarray:
    """What a layer returns for a picture, (channels, height, width), found by tracing instead of hooks."""
    picture = Image.open(io.BytesIO(jpeg)).convert("RGB")
    batch = torchvision.models.ResNet50_Weights.DEFAULT.transforms()(picture)[None]
    extractor = create_feature_extractor(untrained_resnet50(), {layer: "out"})
    with torch.inference_mode():
        return extractor(batch)["out"][0].numpy()


def assert_mosaic_shows(pixels: np.ndarray, maps: np.ndarray, facts: dict) -> None:
    """Every pixel of every tile is the colour that matplotlib gives to its value."""
    geometry, norm = facts["geometry"], Normalize(facts["vmin"], facts["vmax"])
    expected = mpl.colormaps[facts["colormap"]](norm(maps), bytes=True)
    height, width, pad = geometry["tile_height"], geometry["tile_width"], geometry["pad"]
    assert maps.shape == (geometry["channels"], height, width)
    for channel, tile in enumerate(expected):
        row, column = divmod(channel, geometry["columns"])
        top, left = row * (height + pad), column * (width + pad)
        np.testing.assert_array_equal(pixels[top : top + height, left : left + width], tile)
