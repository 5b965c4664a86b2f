"""Small folders of pictures, runs over them with tiny nets, and the same by brute force."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch
from PIL import Image
from torch import Tensor, nn

from tests.viz.subjects import subject
from viz.exemplars.ahead import with_threads
from viz.exemplars.card import Request, torch_version, weights_digest
from viz.exemplars.chosen import chosen_layers
from viz.exemplars.listing import listed, pictures
from viz.exemplars.search import Outcome, Search, exemplars
from viz.hooks.activations import LayerActivations
from viz.passes.forward import BLANK
from viz.pictures.images import read_image


class Small(nn.Module):
    """Two convolutions; the ReLU between them works in place, and runs once more behind the second."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first = nn.Conv2d(3, 5, 3)
        self.relu = nn.ReLU(inplace=True)
        self.second = nn.Conv2d(5, 4, 3, padding=1)
        self.scores = nn.Linear(4, 3)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, H, W)."""
        maps = self.relu(self.second(self.relu(self.first(images))))
        scores: Tensor = self.scores(maps.mean((2, 3)))
        return scores


def noise(folder: Path, count: int, seed: int = 0) -> Path:
    """A folder with so many pictures of noise, every third one in a folder below."""
    random = np.random.default_rng(seed)
    (folder / "below").mkdir(parents=True, exist_ok=True)
    for number in range(count):
        pixels = random.integers(0, 256, (8, 8, 3), dtype=np.uint8)
        place = folder / "below" if number % 3 == 0 else folder
        Image.fromarray(pixels).save(place / f"{number:04}.png")
    return folder


def search_of(folder: Path, out: Path, net: nn.Module, *selectors: str, **more: Any) -> Search:
    """A run over a folder with a net, in this process alone."""
    found = subject(net)
    layers = LayerActivations(net, "cpu")
    chosen = chosen_layers(layers, found.arguments(BLANK), selectors)
    return Search(folder, out, layers, found, chosen, **{"workers": 0, **more})


def request_of(search: Search, top: int = 9, **more: Any) -> Request:
    """Return the request that the run's results depend on."""
    listing = listed(search.folder, search.out)
    known: dict[str, Any] = {
        "layerglass": "0",
        "torch": torch_version(),
        "device": "cpu",
        "model": "small",
        "weights": "random",
        "weights_sha256": weights_digest(search.layers.model),
        "preprocessing": "resized to 8",
        "layers": tuple(layer.name for layer in search.chosen),
        "top": top,
        "pictures": listing.count,
        "pictures_sha256": listing.digest,
    }
    return Request(**known | more)


def searched(folder: Path, out: Path, net: nn.Module, *selectors: str, top: int = 9, **more: Any) -> Outcome:
    """Return the outcome of a whole run."""
    search = search_of(folder, out, net, *selectors)
    return exemplars(search, request_of(search, top), **more)


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a Parquet file, read without any of our code."""
    return pq.read_table(path).to_pylist()


def outputs(folder: Path, net: nn.Module, layers: Sequence[str]) -> dict[tuple[str, str, int], np.ndarray]:
    """Return each layer's output, by call and picture, (channels, height, width), by plain hooks.

    The net has one thread, as in a run.
    """
    found: dict[tuple[str, str, int], np.ndarray] = {}
    prepare = subject(net).prepare
    calls: dict[str, int] = {}
    now = ""

    def keep(name: str, output: Tensor) -> None:
        found[now, name, calls.get(name, 0)] = output[0].clone().numpy()
        calls[name] = calls.get(name, 0) + 1

    handles = [
        net.get_submodule(name).register_forward_hook(lambda _, __, output, name=name: keep(name, output))
        for name in layers
    ]
    for picture in pictures(folder):
        now = picture
        calls.clear()
        with torch.no_grad(), with_threads(1):
            net(prepare(read_image((folder / picture).read_bytes())))
    for handle in handles:
        handle.remove()
    return found


def capture_of(search: Search, *maps: str, **more: Any) -> tuple[Search, Request]:
    """The same run with all that can be kept: raw maps of some layers, statistics and thumbnails."""
    kept = chosen_layers(search.layers, search.subject.arguments(BLANK), maps)
    request = request_of(
        search, statistics=True, thumbnails=16, maps=tuple(each.name for each in kept), **more
    )
    return replace(search, maps=kept), request


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
