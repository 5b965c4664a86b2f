"""Share of maps that an eye can read, by their colours.

Run it as ``python bench/colours.py``; it prints rows for ``bench/RESULTS.md``. A map can be read if a value
in it reaches ``READ`` of the colour range: of the way from the colour of zero to the last one, or from the
first to the last where a layer has one sign. Nothing is timed. The nets are those whose trained weights come
along; of each, layers with maps are taken evenly from all, on every sample.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

import models
from viz.hooks.activations import LayerActivations
from viz.maps.colour.scaling import colour_codes, scaling
from viz.maps.colour.tables import STRETCHED, is_diverging
from viz.maps.colour.wanted import percentiles
from viz.pictures.samples import sample, sample_names

Maps = NDArray[np.float32]
NETS = ("lenet", "photonet", "efficientnet_lite0")
LAYERS = 20  # of a net
READ = 0.15
FIRST = ("photonet", "stem.conv", "cat")  # what a visitor sees first
WAYS = ("one scale, even", "1st to 99th percentile", "square root", "one scale for each map")
MAPS = 4  # axes: batch, channels, height, width


def reached(maps: Maps, way: str) -> NDArray[np.float64]:
    """Return the share of the colour range that each map reaches."""
    stretched = STRETCHED if way == "square root" else ""
    scale = {WAYS[1]: percentiles(maps), WAYS[3]: "channel"}.get(way, "layer")
    found = scaling(maps, f"auto{stretched}", scale)
    codes, table = colour_codes(maps, found.colormap, found.vmin, found.vmax)
    zero, most = (len(table) / 2, len(table) / 2) if is_diverging(found.colormap) else (0, len(table))
    return np.abs(codes.astype(np.float64) - zero).max(axis=(1, 2)) / most


def layers_of(layers: LayerActivations, images: torch.Tensor) -> Iterator[tuple[str, Maps]]:
    """Yield some layers with maps, evenly taken from a net's."""
    with layers.capture() as record:
        layers.run(images)
    drawn = {}
    for name in layers.names:
        outputs = [call.output for call in record[name]] if name in record else []
        if len(outputs) == 1 and getattr(outputs[0], "ndim", 0) == MAPS and min(outputs[0].shape[2:]) > 1:
            drawn[name] = outputs[0][0].numpy()
    names = list(drawn)
    places = np.linspace(0, len(names) - 1, min(LAYERS, len(names))).astype(int)
    for name in dict.fromkeys([*(names[place] for place in places), *({FIRST[1]} & {*names})]):
        yield name, drawn[name]


def main() -> None:
    """Print a row for each way of colouring."""
    readable: dict[tuple[str, str], list[float]] = {}
    first, worst = dict.fromkeys(WAYS, 0.0), dict.fromkeys(WAYS, 1.0)
    for net in NETS:
        layers, prepared = LayerActivations(models.load(net), "cpu"), models.describe(net).preprocessing
        for picture in sample_names():
            for name, maps in layers_of(layers, prepared(sample(picture))):
                for way in WAYS:
                    share = float((reached(maps, way) >= READ).mean())
                    readable.setdefault((way, net), []).append(share)
                    worst[way] = min(worst[way], share)
                    if (net, name, picture) == FIRST:
                        first[way] = share
    print(f"| colours | first picture | {' | '.join(NETS)} | worst layer |")
    print("|---|---:|" + "---:|" * (len(NETS) + 1))
    for way in WAYS:
        shares = [f"{np.mean(readable[way, net]):.0%}" for net in NETS]
        print(f"| {way} | {first[way]:.0%} | {' | '.join(shares)} | {worst[way]:.0%} |")


if __name__ == "__main__":
    main()
